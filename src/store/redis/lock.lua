-- SPDX-License-Identifier: Apache-2.0
-- Renew or, with a time of 0, give back a lock; only by its owner. KEYS: lock.
-- ARGV: 1 owner, 2 seconds. Answers 1, or 0 if somebody else has it.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('EXPIRE', KEYS[1], ARGV[2])
