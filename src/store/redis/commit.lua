-- SPDX-License-Identifier: Apache-2.0
-- Check, write and publish; what the keys, arguments and answers are stands in
-- script.h. Everything that can fail comes before the first write.
local t, o = KEYS[1], KEYS[2]
local function other(k)
  local y = redis.call('TYPE', k).ok
  return y ~= 'hash' and y ~= 'none'
end
local r = redis.call('TYPE', t).ok == 'hash' and redis.call('HGET', t, 'c:recent') or ''
if string.find(' ' .. r .. ' ', ' !' .. ARGV[6] .. ' ', 1, true) then return { -1 } end
local dropped = 0
if ARGV[1] ~= 'f' then
  if other(t) then return { -2, t } end
  if other(o) then return { -2, o } end
  local v = redis.call('HGET', t, 'version')
  local n = redis.call('HLEN', o)
  local k = redis.call('HSTRLEN', t, 'keywords')
  local p = redis.call('HSTRLEN', t, 'prefixes')
  if ARGV[1] == '-' and not v and k == 0 and p == 0 and
     redis.call('EXISTS', KEYS[3], KEYS[4]) > 0 then
    return { -3 }
  end
  local same = v == ARGV[2]
  if ARGV[1] ~= 'v' then same = not v end
  if ARGV[1] == 'm' or ARGV[1] == 'k' then
    same = same and redis.call('SCARD', KEYS[3]) == tonumber(ARGV[2])
  end
  if not same or n ~= tonumber(ARGV[3]) or k ~= tonumber(ARGV[4]) or
     p ~= tonumber(ARGV[5]) then
    return { 0, v, redis.call('HGET', t, 'c:case'), n, p, redis.call('HGET', t, 'keywords') }
  end
elseif redis.call('EXISTS', t) == 0 and redis.call('EXISTS', KEYS[3], KEYS[4]) > 0 then
  return { -3 }
elseif other(t) then
  redis.call('DEL', t)
else
  local case = redis.call('HGET', t, 'c:case')
  if case and ARGV[9] ~= '' and case ~= ARGV[9] then return { -4 } end
  local whole, list = pcall(cjson.decode, redis.call('HGET', t, 'keywords') or '[]')
  if whole and type(list) == 'table' then dropped = #list end
end
local recent = {}
for s in string.gmatch(r, '[^ ]+') do
  recent[#recent + 1] = s
end
recent[#recent + 1] = ARGV[6]
recent = table.concat(recent, ' ', math.max(1, #recent - 63))
local keywords, prefixes = ARGV[11], ARGV[12]
if ARGV[10] == 'a' then
  local k, p = redis.call('HGET', t, 'keywords'), redis.call('HGET', t, 'prefixes')
  if string.sub(k, -1) ~= ']' or string.sub(p, -1) ~= ']' then return { -5 } end
  keywords = string.sub(k, 1, -2) .. keywords
  prefixes = string.sub(p, 1, -2) .. prefixes
end
redis.call('HSET', t, 'keywords', keywords, 'prefixes', prefixes, 'version', ARGV[6],
           'c:recent', recent)
if ARGV[9] ~= '' then redis.call('HSET', t, 'c:case', ARGV[9]) end
if ARGV[1] == 'm' then redis.call('HSET', t, 'c:migrating', '1') end
if ARGV[13] == '1' then redis.call('DEL', o) end
if ARGV[1] == 'f' then redis.call('DEL', KEYS[5]); redis.call('HDEL', t, 'suffixes') end
local first = 15 + tonumber(ARGV[14])
for i = 15, first - 1, 7000 do
  redis.call('HDEL', o, unpack(ARGV, i, math.min(i + 6999, first - 1)))
end
for i = first, #ARGV, 7000 do
  redis.call('HSET', o, unpack(ARGV, i, math.min(i + 6999, #ARGV)))
end
local said = redis.pcall('PUBLISH', ARGV[7], ARGV[8])
return { 1, redis.call('HLEN', o), string.len(keywords), string.len(prefixes),
         type(said) == 'number' and 1 or 0, dropped }
