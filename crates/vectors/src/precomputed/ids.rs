//! Lists of ids: whose vector is in which row.

use serde_json::Value;

/// Ids from a JSON list, or one a line.
pub(super) fn parse(text: &str) -> Result<Vec<String>, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('[') {
        let list: Vec<Value> = serde_json::from_str(text).map_err(|e| format!("it is no JSON list of ids ({e})"))?;
        return list
            .into_iter()
            .enumerate()
            .map(|(i, id)| match id {
                Value::String(id) => Ok(id),
                Value::Number(id) => Ok(id.to_string()),
                other => Err(format!("entry {i} of the list is no id: {other}")),
            })
            .collect();
    }
    let lines = text.lines().enumerate().map(|(i, line)| {
        // A gap would give every vector below it the id of its neighbour.
        if line.trim().is_empty() { Err(format!("line {} is empty", i + 1)) } else { Ok(line.to_owned()) }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_lines() {
        let ids = |list: &[&str]| Ok(list.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(parse("a b\r\nc#s1\n"), ids(&["a b", "c#s1"]));
        assert_eq!(parse("[\"a\", 7]\n"), ids(&["a", "7"]));
        assert_eq!(parse(""), ids(&[]));
        assert_eq!(parse("a\n\nb"), Err("line 2 is empty".to_owned()));
        assert!(parse("[\"a\", null]").unwrap_err().contains("entry 1"));
        assert!(parse("[\"a\"").unwrap_err().contains("no JSON list"));
    }
}
