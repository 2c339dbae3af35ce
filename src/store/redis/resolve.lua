-- SPDX-License-Identifier: Apache-2.0
-- What became of a commit whose answer was lost; see script.h. One that has not
-- come through is fenced, so that a late copy of it is refused.
local t, o = KEYS[1], KEYS[2]
local r = redis.call('HGET', t, 'c:recent') or ''
local padded = ' ' .. r .. ' '
if string.find(padded, ' ' .. ARGV[6] .. ' ', 1, true) then return 1 end
if string.find(padded, ' !' .. ARGV[6] .. ' ', 1, true) then return 2 end
local v = redis.call('HGET', t, 'version')
local same = v == ARGV[2]
if ARGV[1] == '-' then same = not v end
if ARGV[1] == 'f' then same = false end
if same then
  same = redis.call('HLEN', o) == tonumber(ARGV[3]) and
         redis.call('HSTRLEN', t, 'keywords') == tonumber(ARGV[4]) and
         redis.call('HSTRLEN', t, 'prefixes') == tonumber(ARGV[5])
end
if not same then return 0 end
if redis.call('EXISTS', t) == 0 then
  if redis.call('EXISTS', KEYS[3], KEYS[4]) > 0 then return 2 end
  redis.call('HSET', t, 'keywords', '[]', 'prefixes', '[""]', 'version', ARGV[7])
end
local recent = {}
for s in string.gmatch(r, '[^ ]+') do recent[#recent + 1] = s end
recent[#recent + 1] = '!' .. ARGV[6]
redis.call('HSET', t, 'c:recent', table.concat(recent, ' ', math.max(1, #recent - 63)))
return 2
