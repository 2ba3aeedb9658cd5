//! Asks one question by the Rust example of docs/embedding.md and prints the lines; for tests.
//! Arguments: the program, then its arguments.
mod saber;

use std::path::Path;
use std::sync::mpsc::channel;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args[1..].iter().map(String::as_str).collect();
    let (told, lines) = channel();
    let each = move |line| told.send(line).expect("nobody reads the lines");
    let mut saber = saber::Saber::start(Path::new(&args[0]), &words, each).expect("it does not start");
    println!("{}", lines.recv().unwrap().expect("it has ended"));
    saber.send(r#"{"type":"prompt","message":"Who are our top customers by revenue?"}"#).unwrap();
    loop {
        let line = lines.recv().unwrap().expect("it has ended");
        println!("{line}");
        if line.contains(r#""type":"agent_end""#) {
            break;
        }
    }
    drop(saber);
    assert!(matches!(lines.recv(), Ok(None)), "a line came after the end of the run");
}
