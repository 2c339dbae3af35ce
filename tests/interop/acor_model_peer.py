#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for a Go ACOR 1.5.2 process in tests: one JSON command a line in, one JSON line out.

Written from the contract of the stored form, not from the library's source.
See README.md. Only the Python standard library is used.
"""
import hashlib
import json
import os
import random
import socket
import sys
import threading
import time

from acor_model_text import (AcorError, Words, go_array, go_object, is_word, lower, read_array,
                             read_version, runes, split_chunks, trim)

# Redis ------------------------------------------------------------------------

class RedisError(Exception):
    pass


class Link:
    def __init__(self, addr):
        host, port = addr.rsplit(":", 1)
        self.sock = socket.create_connection((host, int(port)), 5)
        self.sock.settimeout(30)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.sock.makefile("rb")

    @staticmethod
    def pack(args):
        out = [b"*%d\r\n" % len(args)]
        for a in args:
            if not isinstance(a, bytes):
                a = str(a).encode("utf-8")
            out += [b"$%d\r\n" % len(a), a, b"\r\n"]
        return b"".join(out)

    def read(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise RedisError("connection closed")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            return RedisError(rest.decode("utf-8", "replace"))
        if kind == b":":
            return int(rest)
        n = int(rest)
        if n < 0:
            return None
        if kind == b"$":
            return self.file.read(n + 2)[:-2]
        return [self.read() for _ in range(n)]

    def batch(self, *commands):
        """One round trip."""
        self.sock.sendall(b"".join(self.pack(c) for c in commands))
        return [self.read() for _ in commands]

    def __call__(self, *args):
        reply = self.batch(args)[0]
        if isinstance(reply, RedisError):
            raise reply
        return reply

    def close(self):
        self.sock.close()


COMMIT = b"""
local states = cjson.decode(ARGV[5])
local have = redis.call('HGET', KEYS[1], 'version')
if have ~= false and have ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'keywords', ARGV[3], 'prefixes', ARGV[4])
if ARGV[6] == '1' then
  redis.call('DEL', KEYS[2])
end
for name, list in pairs(states) do
  redis.call('HSET', KEYS[2], name, list)
end
return 1
"""
DIGEST = hashlib.sha1(COMMIT).hexdigest()

# One open collection ----------------------------------------------------------

PRESETS = {"speed": "Speed", "balanced": "Balanced", "memory-efficient": "MemoryEfficient"}
V1_READ_ONLY = "V1 collections are read-only; migrate with MigrateV1ToV2"
CONFLICT = "concurrency conflict - please retry"
BLANK = "keyword cannot be empty"


class Collection:
    def __init__(self, name, addr, case_sensitive=False, schema_version=0, preset="none", cache=False):
        if b":" in name:
            raise AcorError("collection name must not contain ':'")
        if preset not in (None, "", "none"):
            if preset not in PRESETS:
                raise AcorError("peer: unknown preset")
            if not addr:
                raise AcorError("Preset requires a Redis address")
            if schema_version == 1:
                raise AcorError("Preset engine requires V2 schema")
            if cache:
                raise AcorError("EnableCache cannot be combined with Preset")
            self.preset = PRESETS[preset]
            schema_version = 2
        else:
            self.preset = None
            if schema_version not in (0, 1, 2):
                raise AcorError("unsupported schema version: %d" % schema_version)
            if cache and schema_version == 1:
                raise AcorError("local cache requires V2 schema")
        self.name, self.addr, self.exact = name, addr, bool(case_sensitive)
        self.schema = 1 if schema_version == 1 else 2
        self.cached = bool(cache)
        self.key = lambda part: b"{" + name + b"}:" + part
        self.channel = b"acor:invalidate:" + name
        self.words, self.stale, self.own, self.lock = None, True, {}, threading.Lock()
        self.closed = False
        self.r = Link(addr)
        self.sub = None
        if self.schema == 1:
            self.r("ZADD", self.key(b"prefix"), 0, b"")
            return
        if not self.r("EXISTS", self.key(b"trie")):
            self.r("HSET", self.key(b"trie"), "keywords", "[]", "prefixes", '[""]', "version", time.time_ns())
        if self.preset:
            self.load()
        if self.cached or self.preset:
            self.listen()

    def listen(self):
        self.sub = Link(self.addr)
        self.sub("SUBSCRIBE", self.channel)
        self.sub.sock.settimeout(None)
        threading.Thread(target=self.hear, daemon=True).start()

    def hear(self):
        try:
            while True:
                message = self.sub.read()
                if isinstance(message, list) and message[0] == b"message":
                    owner, _, ident = message[2].partition(b":")
                    with self.lock:
                        sent = self.own.pop(ident, None) if owner == self.name else None
                        if sent is None or not 0 <= time.monotonic() - sent < 30:
                            self.stale = True
        except (OSError, ValueError, RedisError):
            pass

    def close(self):
        if self.closed:
            raise AcorError("redis client was already closed")
        self.closed = True
        for link in (self.sub, self.r):
            if link:
                link.sock.shutdown(socket.SHUT_RDWR)
                link.close()

    # reading

    def hgetall(self, part):
        try:
            flat = self.r("HGETALL", self.key(part))
        except RedisError as e:
            raise AcorError('redis HGETALL on key "%s": %s' % (self.key(part).decode("utf-8", "replace"), e))
        return dict(zip(flat[::2], flat[1::2]))

    def snapshot(self, trie=None):
        trie = self.hgetall(b"trie") if trie is None else trie
        return (read_array(trie.get(b"keywords", b"[]")), read_array(trie.get(b"prefixes", b"[]")),
                read_version(trie.get(b"version", b"")))

    def from_outputs(self, outputs):
        found = set()
        for value in outputs.values():
            found.update(read_array(value))
        return Words(found)

    def load(self):
        with self.lock:
            self.stale = False
        try:
            if self.schema == 1:
                return Words(self.r("SMEMBERS", self.key(b"keyword")))
            if self.preset:
                self.words = Words(self.snapshot()[0])
            elif self.cached:
                _, flat = self.r.batch(("HGETALL", self.key(b"trie")), ("HGETALL", self.key(b"outputs")))
                if isinstance(flat, RedisError):
                    raise AcorError(str(flat))
                self.words = self.from_outputs(dict(zip(flat[::2], flat[1::2])))
            else:
                self.words = self.from_outputs(self.hgetall(b"outputs"))
        except Exception:
            with self.lock:
                self.stale = True
            raise
        return self.words

    def engine(self):
        if (self.cached or self.preset) and self.schema == 2:
            with self.lock:
                if not self.stale and self.words is not None:
                    return self.words
        return self.load()

    def text(self, raw):
        return [cp for cp, _, _ in runes(raw if self.exact else lower(raw))]

    def matches(self, raw, kind="overlapping", whole_word=False):
        if not raw:
            return []
        cps = self.text(raw)
        found = list(self.engine().scan(cps))
        if whole_word:
            found = [m for m in found if not (m[1] > 0 and is_word(cps[m[1] - 1])) and not (m[2] < len(cps) and is_word(cps[m[2]]))]
        if kind == "leftmost-longest":
            kept, last = [], 0
            for m in sorted(found, key=lambda m: (m[1], -m[2])):
                if m[1] >= last:
                    kept.append(m)
                    last = m[2]
            found = kept
        return found

    def find(self, raw):
        return [kw for kw, _, _ in self.matches(raw)]

    def find_index(self, raw):
        out = {}
        for kw, start, _ in self.matches(raw):
            out.setdefault(kw, []).append(start)
        return {k: sorted(v) for k, v in out.items()}

    def find_many(self, texts):
        out, words = {}, None
        for t in texts:
            if t and words is None:
                words = self.engine()
            out[t] = [kw for kw, _, _ in words.scan(self.text(t))] if t else []
        return out

    def find_parallel(self, raw, chunk_size=None, overlap=None, boundary=None):
        if chunk_size is None and overlap is None and boundary is None:
            chunk_size, overlap = 1000, 50
        size = chunk_size or 0
        if size <= 0:
            raise AcorError("chunk size must be positive")
        if not raw:
            return []
        words, seen = self.engine(), {}
        for _, part in split_chunks(self.text(raw), size, max(0, overlap or 0), boundary or "word"):
            for kw, _, _ in words.scan(part):
                seen.setdefault(kw)
        return list(seen)

    def suggest(self, raw):
        if self.preset:
            raise AcorError("suggest requires Redis-backed mode without Preset")
        start = self.normal(raw)
        if not start:
            return []
        if self.schema == 1:
            if self.r("ZRANK", self.key(b"prefix"), start) is None:
                return []
            return sorted(k for k in self.r("SMEMBERS", self.key(b"keyword")) if k.startswith(start))
        return [k for k in self.snapshot()[0] if k.startswith(start)]

    def info(self):
        if self.preset:
            w = self.words
            n = len(w.by_runes)
            nodes = w.states() if n or self.preset == "MemoryEfficient" else 0
            return dict(keywords=n, nodes=nodes, preset=self.preset, memory_bytes=0, trie_depth=w.lengths[0] if n else 0)
        if self.schema == 1:
            k, p = self.r("SCARD", self.key(b"keyword")), self.r("ZCARD", self.key(b"prefix"))
        else:
            kws, pfs, _ = self.snapshot()
            k, p = len(kws), len(pfs)
        return dict(keywords=k, nodes=p, preset="None", memory_bytes=0, trie_depth=0)

    # writing

    def normal(self, raw):
        raw = trim(raw)
        return raw if self.exact else lower(raw)

    @staticmethod
    def outputs(state, prefixes, keywords):
        found = [state] if state in keywords else []
        for _, a, _ in runes(state)[1:]:
            tail = state[a:]
            if tail in prefixes and tail in keywords:
                found.append(tail)
        return found

    def plan(self, adding, wanted, keywords, prefixes):
        """(changed, keywords, prefixes, outputs) after the change."""
        if adding:
            have, known, changed = set(keywords), set(prefixes), []
            keywords, prefixes = list(keywords), list(prefixes)
            for kw in wanted:
                if kw and kw not in have:
                    have.add(kw)
                    changed.append(kw)
                    for _, _, b in runes(kw):
                        if kw[:b] not in known:
                            known.add(kw[:b])
                            prefixes.append(kw[:b])
            keywords += changed
        else:
            doomed = set(wanted)
            changed = [k for k in keywords if k in doomed]
            keywords = [k for k in keywords if k not in doomed]
            alive = {k[:i] for k in keywords for i in range(1, len(k) + 1)}
            prefixes = [b""] + [p for p in prefixes if p and p in alive]
        have, known = set(keywords), set(prefixes)
        outs = {p: self.outputs(p, known, have) for p in prefixes if p}
        return changed, keywords, prefixes, {p: o for p, o in outs.items() if o}

    def commit(self, old, new, keywords, prefixes, outs, clear):
        args = (2, self.key(b"trie"), self.key(b"outputs"), old, new, go_array(keywords), go_array(prefixes),
                go_object({p: go_array(o) for p, o in outs.items()}), "1" if clear else "0")
        try:
            try:
                return self.r("EVALSHA", DIGEST, *args)
            except RedisError as e:
                if not str(e).startswith("NOSCRIPT"):
                    raise
                return self.r("EVAL", COMMIT, *args)
        except RedisError as e:
            raise AcorError('redis EVAL on key "%s": %s' % (self.key(b"trie").decode("utf-8", "replace"), e))

    def publish(self):
        ident = b"%d:%s" % (time.time_ns(), os.urandom(8).hex().encode())
        if self.sub:
            with self.lock:
                self.own[ident] = time.monotonic()
        self.r("PUBLISH", self.channel, self.name + b":" + ident)
        if self.cached:
            with self.lock:
                self.stale = True

    def write(self, adding, wanted):
        for attempt in range(3):
            keywords, prefixes, old = self.snapshot()
            changed, keywords, prefixes, outs = self.plan(adding, wanted, keywords, prefixes)
            if not changed:
                return []
            new = int.from_bytes(os.urandom(2), "big") << 48 | time.time_ns() & (1 << 48) - 1
            new -= (new >> 63) << 64
            if self.commit(old, new, keywords, prefixes, outs, not adding) == 1:
                if self.preset:
                    self.words = Words(keywords)
                    with self.lock:
                        self.stale = False
                self.publish()
                return changed
            if attempt < 2:
                time.sleep(0.010 * (attempt + 1) + random.random() * 0.010)
        raise AcorError(CONFLICT)

    def single(self, adding, raw):
        if self.schema == 1:
            raise AcorError(V1_READ_ONLY)
        kw = self.normal(raw)
        return 1 if kw and self.write(adding, [kw]) else 0

    def many(self, adding, raws, mode):
        verb = "add" if adding else "remove"
        done, failed, skipped, candidates, seen = [], [], [], [], set()
        for raw in raws:
            shown, kw = trim(raw), self.normal(raw)
            if not kw:
                if mode == "transactional":
                    raise AcorError(BLANK)
                failed.append((b"", BLANK))
            elif kw in seen:
                skipped.append(shown)
            else:
                seen.add(kw)
                candidates.append((shown, kw))
        if candidates:
            if self.schema == 1:
                if mode == "transactional":
                    raise AcorError('batch %s failed at keyword "%s": %s' % (verb, candidates[0][0].decode("utf-8", "replace"), V1_READ_ONLY))
                failed += [(shown, V1_READ_ONLY) for shown, _ in candidates]
            else:
                try:
                    changed = set(self.write(adding, [kw for _, kw in candidates]))
                    done = [s for s, kw in candidates if kw in changed]
                    skipped += [s for s, kw in candidates if kw not in changed]
                except AcorError as e:
                    if mode == "transactional":
                        raise AcorError("batch %s failed: %s" % (verb, e))
                    failed += [(s, str(e)) for s, _ in candidates]
        return dict(added=done if adding else [], removed=[] if adding else done, skipped=skipped, failed=failed)

    def flush(self):
        if self.schema == 1:
            kws = self.r("SMEMBERS", self.key(b"keyword"))
            for kw in kws:
                for state in self.r("SMEMBERS", self.key(b"node:" + kw)):
                    self.r("DEL", self.key(b"output:" + state))
                self.r("DEL", self.key(b"node:" + kw))
            self.r("DEL", self.key(b"prefix"), self.key(b"suffix"), self.key(b"keyword"))
            return
        self.r.batch(("MULTI",), ("DEL", self.key(b"outputs"), self.key(b"nodes"), self.key(b"trie")),
                     ("HSET", self.key(b"trie"), "keywords", "[]", "prefixes", '[""]', "version", time.time_ns()), ("EXEC",))
        if self.preset:
            self.words = Words([])
            with self.lock:
                self.stale = False
        self.publish()

    # schema

    def migrate(self, dry_run=False, keep_old_keys=False):
        if self.preset:
            raise AcorError("schema migration requires Redis-backed mode without Preset")
        r, key, lock = self.r, self.key, self.key(b"migration_lock")
        if r("SET", lock, "migrating", "EX", 300, "NX") is None:
            raise AcorError("migration already in progress")
        try:
            if r("EXISTS", key(b"trie")):
                raise AcorError("collection is already on V2 schema")
            if not r("EXISTS", key(b"prefix")):
                raise AcorError("no V1 data found to migrate")
            started = time.monotonic()
            kws, pfs = r("SMEMBERS", key(b"keyword")), r("ZRANGE", key(b"prefix"), 0, -1)
            outs = {p: r("SMEMBERS", key(b"output:" + p)) for p in pfs}
            nodes = {k: r("SMEMBERS", key(b"node:" + k)) for k in kws}
            outs, nodes = ({k: v for k, v in d.items() if v} for d in (outs, nodes))
            result = dict(status="dry-run" if dry_run else "success", collection=self.name.decode("utf-8", "replace"), from_schema=1, to_schema=2,
                          dry_run=bool(dry_run), keywords=len(kws), prefixes=len(pfs), outputs_keys=len(outs), nodes_keys=len(nodes),
                          keys_before=2 + len(pfs) + len(kws), keys_after=3, duration_ms=0, rolled_back=False)
            if not dry_run:
                tmp = b":tmp:%d" % time.time_ns()
                r("HSET", key(b"trie") + tmp, "version", time.time_ns(), "keywords", go_array(kws), "prefixes", go_array(pfs))
                moves = [b"trie"]
                for part, data in ((b"outputs", outs), (b"nodes", nodes)):
                    if data:
                        r("HSET", key(part) + tmp, *[x for k, v in data.items() for x in (k, go_array(v))])
                        moves.append(part)
                steps = []
                if not keep_old_keys:
                    steps.append(("DEL", key(b"keyword"), key(b"prefix"), key(b"suffix")))
                    steps += [("DEL", key(b"output:" + p)) for p in pfs] + [("DEL", key(b"node:" + k)) for k in kws]
                steps += [("RENAME", key(m) + tmp, key(m)) for m in moves]
                r.batch(("MULTI",), *steps, ("EXEC",))
                self.schema = 2
            result["duration_ms"] = int((time.monotonic() - started) * 1000)
            return dict(result=result)
        finally:
            r("DEL", lock)

    def rollback(self):
        if self.preset:
            raise AcorError("schema migration requires Redis-backed mode without Preset")
        if not self.r("EXISTS", self.key(b"keyword")):
            raise AcorError("V1 keys not found - rollback not possible")
        self.r("DEL", self.key(b"trie"), self.key(b"outputs"), self.key(b"nodes"))
        self.schema, self.cached = 1, False


# Commands ---------------------------------------------------------------------

def take(v):
    """A string, or {"hex": ...}, as bytes."""
    return bytes.fromhex(v["hex"]) if isinstance(v, dict) else (v or "").encode("utf-8", "surrogatepass")


def give(raw):
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": raw.hex()}


def give_map(d, value):
    if all(isinstance(give(k), str) for k in d):
        return {give(k): value(d[k]) for k in sorted(d)}
    return {"pairs": [[give(k), value(d[k])] for k in sorted(d)]}


def run(handles, c):
    op, hid = c.get("op"), c.get("id")
    if op == "ping":
        return "pong"
    if op == "open":
        coll = Collection(take(c.get("name")), c.get("addr", ""), c.get("case_sensitive", False), c.get("schema_version", 0),
                          c.get("preset", "none"), c.get("cache", False))
        handles[hid] = coll
        return {"schema_version": coll.schema}
    h = handles.get(hid)
    if h is None:
        raise AcorError("peer: no such handle")
    if h.closed and op != "close":
        raise AcorError("redis: client is closed")
    gives = lambda items: [give(x) for x in items]
    if op in ("add", "remove"):
        return h.single(op == "add", take(c.get("keyword")))
    if op in ("add_many", "remove_many"):
        res = h.many(op == "add_many", [take(k) for k in c.get("keywords", [])], c.get("mode"))
        res["failed"] = [{"keyword": give(k), "error": e} for k, e in res["failed"]]
        return {k: v if k == "failed" else gives(v) for k, v in res.items()}
    text = take(c.get("text"))
    if op == "find":
        return gives(h.find(text))
    if op == "find_set":
        return gives(dict.fromkeys(h.find(text)))
    if op == "contains":
        return bool(h.find(text))
    if op == "find_index":
        return give_map(h.find_index(text), list)
    if op == "find_matches":
        return [{"keyword": give(k), "start": s, "end": e} for k, s, e in h.matches(text, c.get("kind", "overlapping"), c.get("whole_word", False))]
    if op == "find_many":
        return give_map(h.find_many([take(t) for t in c.get("texts", [])]), gives)
    if op == "find_parallel":
        return gives(h.find_parallel(text, c.get("chunk_size"), c.get("overlap"), c.get("boundary")))
    if op == "suggest":
        return gives(h.suggest(take(c.get("input"))))
    if op == "suggest_index":
        return give_map({k: [0] for k in h.suggest(take(c.get("input")))}, list)
    if op == "info":
        return h.info()
    if op == "flush":
        return h.flush()
    if op == "migrate":
        return h.migrate(c.get("dry_run", False), c.get("keep_old_keys", False))
    if op == "rollback":
        return h.rollback()
    if op == "schema_version":
        return h.schema
    if op == "close":
        h.close()
        if not c.get("keep"):
            del handles[hid]
        return None
    raise AcorError("peer: unknown op %s" % op)


def main():
    handles = {}
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            reply = {"ok": run(handles, json.loads(line))}
        except (AcorError, RedisError, OSError, ValueError, KeyError, TypeError) as e:
            reply = {"error": str(e)}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
