//! From a spec to an encoder.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use eightk_encode::{EncodeError, Identity};

use super::dialects::{Spoken, spoken};
use super::encoder::RemoteEncoder;
use super::kind::RemoteKind;
use super::plan::Limits;
use super::prices::listed;
use crate::settings::Settings;
use crate::web::{Access, Client, Endpoint};

/// Requests under way at once, where nothing is set, and at most.
const PARALLEL: usize = 4;
const MOST_PARALLEL: usize = 64;

/// Longest name of a model.
const LONGEST_NAME: usize = 200;

pub(crate) fn build(
    kind: RemoteKind,
    name: &str,
    settings: &BTreeMap<String, String>,
    access: Access,
) -> Result<RemoteEncoder, EncodeError> {
    let usage = |problem: &str| Err(EncodeError::Usage(format!("{kind}: {problem}")));
    if let Some(key) = access.key() {
        let holds = |text: &str| key.is_in(text);
        if holds(name) || settings.values().any(|v| holds(v)) {
            return usage(
                "the key stands in the spec, which is printed and stored; it comes from the environment, see key-env=",
            );
        }
    }
    let name = name.trim();
    if kind == RemoteKind::Tei && settings.contains_key("url") {
        return usage("the address stands right after `tei:`, url= is not needed");
    }
    if name.is_empty() || (kind != RemoteKind::Tei && (name.len() > LONGEST_NAME || name.contains(char::is_control))) {
        return usage(if kind == RemoteKind::Tei {
            "no address; write tei:http://host:port"
        } else {
            "no name of a model"
        });
    }
    let shown = if kind == RemoteKind::Tei { kind.to_string() } else { format!("{kind}:{name}") };
    let values = Settings::new(&shown, settings, kind.settings())?;
    let Spoken { dialect, home, path, sees_context, similarity, mut facts } = spoken(kind, name, &values)?;

    let address = match (kind, values.text("url"), home) {
        (RemoteKind::Tei, ..) if !name.contains("://") => format!("http://{name}"),
        (RemoteKind::Tei, ..) => name.to_owned(),
        (_, Some(url), _) => url.to_owned(),
        (_, None, Some(home)) => home.to_owned(),
        (_, None, None) => return usage("no address; set url="),
    };
    let endpoint = Endpoint::parse(&address, access.key())?.completed(path);
    let at_home = home == Some(endpoint.as_str());
    let model = match kind {
        RemoteKind::Tei => {
            values.text("model").filter(|m| !m.is_empty()).map_or_else(|| endpoint.authority(), str::to_owned)
        }
        _ => name.to_owned(),
    };

    let truncate = values.flag("truncate")?.unwrap_or(false);
    let max_tokens = values.number::<u64>("max-tokens")?;
    let batch = values.number::<usize>("batch")?;
    let limits = |in_context| {
        let limits = dialect.limits(in_context);
        let unit_tokens = max_tokens.or(limits.unit_tokens);
        // Late chunking is one filing a request, whatever is set.
        let units = batch.filter(|_| limits.units > 1).unwrap_or(limits.units);
        Limits { units, unit_tokens, tokens: limits.tokens.max(unit_tokens.unwrap_or(0)), ..limits }
    };
    let limits = [limits(false), limits(true)];
    let parallel = values.number::<usize>("parallel")?.unwrap_or(PARALLEL);
    if parallel > MOST_PARALLEL {
        return usage(&format!("parallel={parallel} is more than {MOST_PARALLEL}, which no service means by fair use"));
    }

    facts.insert("endpoint".to_owned(), endpoint.as_str().to_owned());
    if truncate {
        facts.insert("truncate".to_owned(), "true".to_owned());
    }
    // Where texts are cut or filings go in windows, the length decides what a vector has seen.
    if let Some(most) = limits[1].unit_tokens.filter(|_| truncate || sees_context) {
        facts.insert("max_tokens".to_owned(), most.to_string());
    }
    let text = |name: &str| values.text(name).unwrap_or_default().to_owned();
    let identity = Identity {
        provider: kind.to_string(),
        model: model.clone(),
        revision: text("revision"),
        dims: values.number("dims")?,
        similarity,
        query_prompt: text("query-prompt"),
        passage_prompt: text("passage-prompt"),
        settings: facts,
    };
    let price = values.price()?.or_else(|| listed(kind, name).filter(|_| at_home));
    let no_key = (at_home && access.key().is_none()).then(|| {
        let variable = kind.usual_key_variable().unwrap_or_default();
        format!("{kind}:{model} needs a key: set {variable}, or name another variable by key-env=")
    });
    let client = Client::new(format!("{kind}:{model}"), endpoint, values.timeout()?, access);
    Ok(RemoteEncoder {
        kind,
        identity,
        dialect,
        client,
        limits,
        learned: [AtomicUsize::new(usize::MAX), AtomicUsize::new(usize::MAX)],
        parallel,
        truncate,
        sees_context,
        price,
        no_key,
        named: kind != RemoteKind::Tei || values.text("model").is_some(),
        like: OnceLock::new(),
    })
}
