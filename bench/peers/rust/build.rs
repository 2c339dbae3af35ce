// SPDX-License-Identifier: Apache-2.0
//! Hands the locked versions of the measured crates to the program.
fn main() {
    let lock = std::fs::read_to_string("Cargo.lock").unwrap_or_default();
    for name in ["aho-corasick", "daachorse"] {
        let key = format!("name = \"{name}\"\nversion = \"");
        let v = lock.split(&key).nth(1).and_then(|s| s.split('"').next()).unwrap_or("?");
        println!("cargo:rustc-env=V_{}={v}", name.replace('-', "_").to_uppercase());
    }
    println!("cargo:rerun-if-changed=Cargo.lock");
}
