// SPDX-License-Identifier: Apache-2.0
//! rs-bench ENGINE DICT TEXT [options]: see ../README.md for the protocol.
//!
//! ENGINE: ac-dfa ac-cnfa ac-nnfa (aho-corasick), daac daac-nopf daac-pgo (daachorse bytewise:
//! default, without prefilter, laid out for --corpus FILE), daacc daacc-nopf (charwise).

use aho_corasick as ac;
use daachorse as da;
use std::hint::black_box;
use std::io::{BufRead, Write};

const C1: u64 = 0x9E37_79B9_7F4A_7C15;
const C2: u64 = 0xC2B2_AE3D_27D4_EB4F;

#[repr(C)]
struct Timespec {
    sec: i64,
    nsec: i64,
}

extern "C" {
    fn malloc_trim(pad: usize) -> i32;
    fn clock_gettime(clock: i32, out: *mut Timespec) -> i32;
}

/// CPU seconds of this thread: other jobs on the core do not count.
fn now() -> f64 {
    let mut t = Timespec { sec: 0, nsec: 0 };
    unsafe { clock_gettime(3, &mut t) }; // CLOCK_THREAD_CPUTIME_ID
    t.sec as f64 + 1e-9 * t.nsec as f64
}

fn status(key: &str) -> u64 {
    let s = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    s.lines()
        .find(|l| l.starts_with(key))
        .and_then(|l| l.split_whitespace().nth(1))
        .map_or(0, |v| v.parse::<u64>().unwrap_or(0) * 1024)
}

struct Args {
    engine: String,
    dict: String,
    text: String,
    messages: bool,
    longest: bool,
    nocase: bool,
    step: bool,
    repeat: usize,
    corpus: String,
}

fn args() -> Args {
    let mut a = Args {
        engine: String::new(),
        dict: String::new(),
        text: String::new(),
        messages: false,
        longest: false,
        nocase: false,
        step: false,
        repeat: 5,
        corpus: String::new(),
    };
    let mut pos = 0;
    let mut it = std::env::args().skip(1);
    while let Some(s) = it.next() {
        match s.as_str() {
            "--messages" => a.messages = true,
            "--nocase" => a.nocase = true,
            "--step" => a.step = true,
            "--mode" => a.longest = it.next().expect("mode") == "leftmost-longest",
            "--repeat" => a.repeat = it.next().expect("count").parse().expect("count"),
            "--corpus" => a.corpus = it.next().expect("file"),
            _ => {
                *[&mut a.engine, &mut a.dict, &mut a.text][pos] = s;
                pos += 1;
            }
        }
    }
    assert!(pos == 3, "usage: rs-bench ENGINE DICT TEXT [options]");
    a
}

struct Job {
    a: Args,
    pats: Vec<Vec<u8>>,
    text: Vec<u8>,
    spans: Vec<(usize, usize)>,
    version: &'static str,
    lower: bool, // daachorse has no case folding: lower-case the text inside the timed pass
}

/// Times `build`, then `scan` over the whole text or over every message.
fn drive<E>(job: &Job, build: impl Fn() -> E, bytes: impl Fn(&E) -> usize, scan: impl Fn(&E, &[u8]) -> (u64, u64)) {
    let rss0 = status("VmRSS:");
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let t = now();
    let mut engine = build();
    let mut best_build = now() - t;
    let peak = status("VmHWM:").saturating_sub(rss0);
    unsafe { malloc_trim(0) };
    let rss = status("VmRSS:").saturating_sub(rss0);
    let mut spent = best_build;
    for _ in 0..4 {
        if spent > 0.4 {
            break;
        }
        drop(engine);
        let t = now();
        engine = build();
        let s = now() - t;
        spent += s;
        best_build = best_build.min(s);
    }
    let mut low = Vec::new();
    let mut result = (0u64, 0u64);
    let lower = job.lower;
    let mut pass = || {
        let t = now();
        let mut r = (0u64, 0u64);
        for &(s, e) in &job.spans {
            let mut hay = &job.text[s..e];
            if lower {
                low.clear();
                low.extend_from_slice(hay);
                low.make_ascii_lowercase();
                hay = &low;
            }
            let (n, c) = scan(&engine, black_box(hay));
            r.0 += n;
            r.1 = r.1.wrapping_add(c);
        }
        result = black_box(r);
        now() - t
    };
    let mut best = f64::MAX;
    if job.a.step {
        let out = std::io::stdout();
        writeln!(out.lock(), "ready").unwrap();
        for _ in std::io::stdin().lock().lines() {
            let mut s = f64::MAX;
            for _ in 0..job.a.repeat {
                s = s.min(pass());
            }
            writeln!(out.lock(), "{s:.9}").unwrap();
            best = best.min(s);
        }
    } else {
        for _ in 0..job.a.repeat {
            best = best.min(pass());
        }
    }
    let n: usize = job.spans.iter().map(|s| s.1 - s.0).sum();
    println!(
        "{{\"engine\":\"{}\",\"version\":\"{}\",\"patterns\":{},\"build_s\":{:.6},\"memory_bytes\":{},\"rss_delta\":{},\"peak_delta\":{},\"bytes\":{},\"messages\":{},\"seconds_best\":{:.9},\"gbps\":{:.6},\"matches\":{},\"checksum\":\"{:016x}\"}}",
        job.a.engine, job.version, job.pats.len(), best_build, bytes(&engine), rss, peak, n,
        job.spans.len(), best, n as f64 / best / 1e9, result.0, result.1
    );
}

macro_rules! tally {
    ($it:expr) => {{
        let (mut n, mut c) = (0u64, 0u64);
        for m in $it {
            n += 1;
            let (s, e) = (m.start() as u64, m.end() as u64);
            c = c.wrapping_add((e.wrapping_add(C1)).wrapping_mul((e - s).wrapping_add(C2)));
        }
        (n, c)
    }};
}

fn run_ac(job: &Job, kind: ac::AhoCorasickKind) {
    let mk = if job.a.longest { ac::MatchKind::LeftmostLongest } else { ac::MatchKind::Standard };
    let build = || {
        ac::AhoCorasick::builder()
            .kind(Some(kind))
            .match_kind(mk)
            .ascii_case_insensitive(job.a.nocase)
            .build(&job.pats)
            .expect("build")
    };
    if job.a.longest {
        drive(job, build, |e| e.memory_usage(), |e, h| tally!(e.find_iter(h)));
    } else {
        drive(job, build, |e| e.memory_usage(), |e, h| tally!(e.find_overlapping_iter(h)));
    }
}

fn run_daac(job: &Job, prefilter: bool, corpus: &[u8]) {
    let mk = if job.a.longest { da::MatchKind::LeftmostLongest } else { da::MatchKind::Standard };
    let build = || -> da::DoubleArrayAhoCorasick<u32> {
        let mut b = da::DoubleArrayAhoCorasickBuilder::new().match_kind(mk).use_prefilter(prefilter);
        if !corpus.is_empty() {
            b = b.corpus([corpus]);
        }
        b.build(&job.pats).expect("build")
    };
    if job.a.longest {
        drive(job, build, |e| e.heap_bytes(), |e, h| tally!(e.leftmost_find_iter(h)));
    } else {
        drive(job, build, |e| e.heap_bytes(), |e, h| tally!(e.find_overlapping_iter(h)));
    }
}

fn run_daacc(job: &Job, prefilter: bool) {
    let mk = if job.a.longest { da::MatchKind::LeftmostLongest } else { da::MatchKind::Standard };
    std::str::from_utf8(&job.text).expect("charwise wants valid UTF-8");
    let pats: Vec<&str> = job.pats.iter().map(|p| std::str::from_utf8(p).expect("UTF-8 keyword")).collect();
    let build = || -> da::CharwiseDoubleArrayAhoCorasick<u32> {
        da::CharwiseDoubleArrayAhoCorasickBuilder::new()
            .match_kind(mk)
            .use_prefilter(prefilter)
            .build(&pats)
            .expect("build")
    };
    // Checked above for the whole text; spans end at line ends.
    let s = |h: &[u8]| unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(h.as_ptr(), h.len())) };
    if job.a.longest {
        drive(job, build, |e| e.heap_bytes(), |e, h| tally!(e.leftmost_find_iter(s(h))));
    } else {
        drive(job, build, |e| e.heap_bytes(), |e, h| tally!(e.find_overlapping_iter(s(h))));
    }
}

fn main() {
    let a = args();
    let dict = std::fs::read(&a.dict).expect("dictionary");
    let text = std::fs::read(&a.text).expect("text");
    let mut pats: Vec<Vec<u8>> = dict.split(|&b| b == b'\n').filter(|p| !p.is_empty()).map(<[u8]>::to_vec).collect();
    drop(dict);
    let da = a.engine.starts_with("daac");
    if a.nocase && da {
        pats.iter_mut().for_each(|p| p.make_ascii_lowercase());
        pats.sort();
        pats.dedup();
    }
    let mut spans = Vec::new();
    if a.messages {
        let mut s = 0;
        for (i, &b) in text.iter().enumerate() {
            if b == b'\n' {
                spans.push((s, i));
                s = i + 1;
            }
        }
        if s < text.len() {
            spans.push((s, text.len()));
        }
    } else {
        spans.push((0, text.len()));
    }
    let version = if da { env!("V_DAACHORSE") } else { env!("V_AHO_CORASICK") };
    let corpus = if a.corpus.is_empty() { Vec::new() } else { std::fs::read(&a.corpus).expect("corpus") };
    let engine = a.engine.clone();
    let lower = a.nocase && da;
    let job = Job { a, pats, text, spans, version, lower };
    match engine.as_str() {
        "ac-dfa" => run_ac(&job, ac::AhoCorasickKind::DFA),
        "ac-cnfa" => run_ac(&job, ac::AhoCorasickKind::ContiguousNFA),
        "ac-nnfa" => run_ac(&job, ac::AhoCorasickKind::NoncontiguousNFA),
        "daac" => run_daac(&job, true, b""),
        "daac-nopf" => run_daac(&job, false, b""),
        "daac-pgo" => run_daac(&job, true, &corpus),
        "daacc" => run_daacc(&job, true),
        "daacc-nopf" => run_daacc(&job, false),
        e => panic!("unknown engine {e}"),
    }
}
