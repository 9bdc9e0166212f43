#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

extern "C" {
    fn sgf_mutate(data: *mut u8, size: usize, max_size: usize, seed: u32) -> usize;
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 5 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    // sgf_mutate writes at most max_size bytes, which is the length of data.
    unsafe { sgf_mutate(data.as_mut_ptr(), size, max_size.min(data.len()), seed) }
});

fuzz_target!(|data: &[u8]| {
    let _ = your_parser::parse(data);
});
