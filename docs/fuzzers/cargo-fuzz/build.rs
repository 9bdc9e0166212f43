fn main() {
    println!("cargo:rerun-if-changed=sgf_mutator.c");
    cc::Build::new()
        .file("sgf_mutator.c")
        .define("SGF_NO_LIBFUZZER", None)
        .compile("sgf_mutator");
}
