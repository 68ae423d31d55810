//! `modelport-bindgen IN.wasm OUT_DIR NAME web|bundler`: the part of the wasm-bindgen command line we use.

use std::{env, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, out_dir, name, kind] = arguments.as_slice() else {
        eprintln!("usage: modelport-bindgen IN.wasm OUT_DIR NAME web|bundler");
        return ExitCode::from(2);
    };
    match generate(input, out_dir, name, kind == "bundler") {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("modelport-bindgen: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(input: &str, out_dir: &str, name: &str, bundler: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(true);
    // The web kind loads the wasm itself; the bundler kind leaves that, and all names, to whoever bundles it.
    if bundler {
        bindgen.bundler(true)?
    } else {
        bindgen.web(true)?.omit_default_module_path(true)
    };
    bindgen.generate(out_dir)?;
    Ok(())
}
