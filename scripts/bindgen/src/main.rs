//! `modelport-bindgen IN.wasm OUT_DIR NAME`: the part of the wasm-bindgen command line we use.

use std::{env, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, out_dir, name] = arguments.as_slice() else {
        eprintln!("usage: modelport-bindgen IN.wasm OUT_DIR NAME");
        return ExitCode::from(2);
    };
    match generate(input, out_dir, name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("modelport-bindgen: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(input: &str, out_dir: &str, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).web(true)?.omit_default_module_path(true).typescript(true);
    bindgen.generate(out_dir)?;
    Ok(())
}
