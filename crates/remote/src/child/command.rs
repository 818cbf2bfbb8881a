//! From a command line to a program, its name and what pins it.

use std::path::Path;

use eightk_encode::EncodeError;
use sha2::{Digest, Sha256};

use super::contents::hash_of;

/// A command line, split.
#[derive(Debug, Clone)]
pub(super) struct CommandLine {
    /// What is started.
    pub(super) program: String,
    /// With these arguments.
    pub(super) arguments: Vec<String>,
}

/// The part behind the last slash.
fn last_part(word: &str) -> &str {
    let trimmed = word.trim_end_matches('/');
    trimmed.rsplit('/').next().filter(|p| !p.is_empty()).unwrap_or(word)
}

/// `--model=PATH` in two; other words have no first part.
fn assigned(word: &str) -> (&str, &str) {
    match word.find('=') {
        Some(at) if word.starts_with('-') => word.split_at(at + 1),
        _ => ("", word),
    }
}

impl CommandLine {
    /// Splits as a POSIX shell does: words, quotes, backslashes; nothing is expanded.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] for an open quote and for nothing at all.
    pub(super) fn parse(line: &str) -> Result<Self, EncodeError> {
        let usage = |why: &str| EncodeError::Usage(format!("cmd:{line}: {why}"));
        let words =
            shlex::split(line).ok_or_else(|| usage("a quote is not closed, or the line ends with a backslash"))?;
        let mut words = words.into_iter();
        let program = words.next().filter(|p| !p.is_empty());
        let program = program.ok_or_else(|| usage("names no program; say cmd:PROGRAM ARGUMENTS"))?;
        let arguments: Vec<String> = words.collect();
        if program.contains('\0') || arguments.iter().any(|a| a.contains('\0')) {
            return Err(usage("a NUL cannot be part of a command line"));
        }
        Ok(Self { program, arguments })
    }

    /// The program's own name.
    pub(super) fn program_name(&self) -> String {
        printable(last_part(&self.program))
    }

    /// The whole line, with paths cut to their last part.
    pub(super) fn name(&self) -> String {
        let short = |word: &String| {
            let (key, value) = assigned(word);
            printable(&format!("{key}{}", last_part(value)))
        };
        let words: Vec<String> = std::iter::once(&self.program).chain(&self.arguments).map(short).collect();
        words.join(" ")
    }

    /// SHA-256 of the line, in hex. A word that is a file or folder counts by its last part and what is in it, so that the same
    /// encoder elsewhere is the same; a program without a slash is looked up by the system and counts by its name.
    ///
    /// With `stated`, that stands for all contents.
    ///
    /// # Errors
    ///
    /// Those of reading the files.
    pub(super) fn revision(&self, stated: Option<&str>) -> Result<String, EncodeError> {
        let mut hash = Sha256::new();
        let mut field = |kind: u8, bytes: &[u8]| {
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        if let Some(stated) = stated {
            field(b's', stated.as_bytes());
        }
        for (i, word) in std::iter::once(&self.program).chain(&self.arguments).enumerate() {
            let (key, value) = assigned(word);
            let looked_up = i == 0 && !value.contains('/');
            let contents = if stated.is_some() || looked_up { None } else { hash_of(Path::new(value))? };
            match contents {
                Some(contents) => {
                    field(b'k', key.as_bytes());
                    field(b'f', last_part(value).as_bytes());
                    field(b'c', &contents);
                }
                None => field(b'w', word.as_bytes()),
            }
        }
        Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
    }
}

fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Vec<String> {
        let CommandLine { program, arguments } = CommandLine::parse(line).unwrap();
        std::iter::once(program).chain(arguments).collect()
    }

    #[test]
    fn words_are_a_shells_but_nothing_is_expanded() {
        assert_eq!(parsed("python3 'my folder/enc.py'  a\\ b \"c d\""), ["python3", "my folder/enc.py", "a b", "c d"]);
        assert_eq!(parsed("enc $HOME `id` * ~ ; rm > x"), ["enc", "$HOME", "`id`", "*", "~", ";", "rm", ">", "x"]);
        for wrong in ["", "  ", "enc 'open", "''", "enc \\", "enc \0"] {
            assert!(matches!(CommandLine::parse(wrong), Err(EncodeError::Usage(_))), "{wrong:?}");
        }
    }

    #[test]
    fn the_name_has_no_paths() {
        let name = |line: &str| CommandLine::parse(line).unwrap().name();
        assert_eq!(
            name("/opt/env/bin/python 'a b/enc.py' /models/tiny/ --config=/etc/x.json k=/v"),
            "python enc.py tiny --config=x.json v"
        );
        assert_eq!(name("enc / 'a\nb'"), "enc / a b");
    }

    #[test]
    fn an_edited_script_is_another_encoder_and_a_moved_one_is_not() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name).display().to_string();
        std::fs::create_dir(at("x")).unwrap();
        std::fs::write(at("enc.py"), "one").unwrap();
        let revision = |line: &str, stated: Option<&str>| CommandLine::parse(line).unwrap().revision(stated).unwrap();
        let line = format!("python3 '{}' tiny", at("enc.py"));
        let first = revision(&line, None);
        assert_eq!(first.len(), 64);
        let by_key = revision(&format!("python3 --script='{}'", at("enc.py")), None);
        let stated = revision(&line, Some("v1"));
        std::fs::copy(at("enc.py"), at("x/enc.py")).unwrap();
        assert_eq!(first, revision(&format!("python3 '{}' tiny", at("x/enc.py")), None));
        std::fs::write(at("enc.py"), "two").unwrap();
        assert_ne!(first, revision(&line, None));
        assert_ne!(by_key, revision(&format!("python3 --script='{}'", at("enc.py")), None));
        assert_eq!(stated, revision(&line, Some("v1")));
        assert_ne!(stated, revision(&line, Some("v2")));
        assert_ne!(revision("enc a b", None), revision("enc 'a b'", None));
    }
}
