//! One encoder's file: keys and values in one table.

use std::path::Path;

use eightk_encode::{EncodedChunk, Identity, Stored, VectorKey};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use sha2::{Digest, Sha256};

use super::connection::connect;
use super::trouble::Trouble;

/// Marks a file as ours: `8kVC` as a number.
const APPLICATION: i32 = 0x386B_5643;

/// The whole schema, in the order of its names. Rows lie in the order they were put, which is the order they are asked for; only the
/// index over keys is in the order of hashes.
const SCHEMA: [&str; 2] = [
    "CREATE TABLE about (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE vectors (key BLOB NOT NULL UNIQUE, value BLOB NOT NULL, checksum INTEGER NOT NULL)",
];

/// An open file, with the schema and the encoder that were expected of it.
#[derive(Debug)]
pub(super) struct VectorFile {
    connection: Connection,
}

/// First eight bytes of the SHA-256 of key and value: a value under another's key is as bad as another value.
pub(super) fn checksum(key: &VectorKey, value: &[u8]) -> i64 {
    let hash = Sha256::new().chain_update(key.0).chain_update(value).finalize();
    hash.first_chunk().map_or(0, |first| i64::from_le_bytes(*first))
}

impl VectorFile {
    /// Opens the file of an encoder; none where there is none and `create` does not ask for one.
    pub(super) fn open(path: &Path, who: &Identity, create: bool) -> Result<Option<Self>, Trouble> {
        let Some(mut connection) = connect(path, create)? else { return Ok(None) };
        if create {
            make(&mut connection, who)?;
        } else if is_empty(&connection)? {
            return Ok(None);
        }
        if identity(&connection)? != *who {
            return Err(Trouble::Damaged("it names another encoder".to_owned()));
        }
        Ok(Some(Self { connection }))
    }

    /// What is known under each key, and how many entries were found damaged.
    pub(super) fn get(&mut self, keys: &[VectorKey]) -> Result<(Vec<Option<Stored>>, usize), Trouble> {
        // One transaction: the file is locked and looked at for changes once, not once per key.
        let transaction = self.connection.transaction()?;
        let (mut found, mut damaged) = (Vec::with_capacity(keys.len()), 0);
        {
            let mut one = transaction.prepare_cached("SELECT value, checksum FROM vectors WHERE key = ?1")?;
            for key in keys {
                let row = one.query_row([&key.0[..]], |row| {
                    // Taken as they come: a value of another type is one damaged entry, not a damaged file.
                    let sound = match (row.get_ref(0)?.as_blob(), row.get_ref(1)?.as_i64()) {
                        (Ok(value), Ok(sum)) if sum == checksum(key, value) => EncodedChunk::from_bytes(value),
                        _ => None,
                    };
                    Ok(sound)
                });
                let row = row.optional()?;
                damaged += usize::from(row == Some(None));
                found.push(row.flatten());
            }
        }
        transaction.commit()?;
        Ok((found, damaged))
    }

    /// Keeps all or none.
    pub(super) fn put(&mut self, entries: &[(VectorKey, Stored)]) -> Result<(), Trouble> {
        // Immediate: two that begin to read and then both want to write would wait for each other.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut one = transaction
                .prepare_cached("INSERT OR REPLACE INTO vectors (key, value, checksum) VALUES (?1, ?2, ?3)")?;
            for (key, stored) in entries {
                let value = stored.to_bytes();
                one.execute((&key.0[..], &value, checksum(key, &value)))?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Whether everything can be found that was put. Reads the whole file.
    pub(super) fn is_whole(&self) -> bool {
        let verdict = self.connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
        verdict.is_ok_and(|v| v == "ok")
    }
}

/// How many vectors a file holds, and whose.
pub(super) fn contents(path: &Path) -> Result<Option<(Identity, u64)>, Trouble> {
    let Some(connection) = connect(path, false)? else { return Ok(None) };
    if is_empty(&connection)? {
        return Ok(None);
    }
    let who = identity(&connection)?;
    let vectors: i64 = connection.query_row("SELECT count(*) FROM vectors", [], |row| row.get(0))?;
    Ok(Some((who, u64::try_from(vectors).unwrap_or(0))))
}

/// Whether a file has no schema yet: it is just being made.
fn is_empty(connection: &Connection) -> Result<bool, Trouble> {
    Ok(connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?)
}

/// Writes the schema into a file that has none yet. Two that make the same file do it one after the other.
fn make(connection: &mut Connection, who: &Identity) -> Result<(), Trouble> {
    if !is_empty(connection)? {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_empty(&transaction)? {
        let json = serde_json::to_string(who).map_err(|e| Trouble::Io(e.to_string()))?;
        transaction.execute_batch(&SCHEMA.join(";\n"))?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.execute("INSERT INTO about (name, value) VALUES ('identity', ?1)", [json])?;
    }
    transaction.commit()?;
    Ok(())
}

/// Whose vectors a file holds, if it is one of ours.
fn identity(connection: &Connection) -> Result<Identity, Trouble> {
    let other = || Trouble::Damaged("its tables are not those of a cache of vectors".to_owned());
    let application: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let schema = {
        let mut all = connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")?;
        let all = all.query_map([], |row| row.get::<_, String>(0))?;
        all.collect::<Result<Vec<_>, _>>()?
    };
    if application != APPLICATION || schema != SCHEMA {
        return Err(other());
    }
    let json: Option<String> =
        connection.query_row("SELECT value FROM about WHERE name = 'identity'", [], |row| row.get(0)).optional()?;
    json.and_then(|json| serde_json::from_str(&json).ok()).ok_or_else(other)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use eightk_encode::{Similarity, Vector};
    use std::collections::BTreeMap;

    pub(in crate::cache) fn who() -> Identity {
        Identity {
            provider: "toy".into(),
            model: "small".into(),
            revision: "r1".into(),
            dims: Some(4),
            similarity: Similarity::Cosine,
            query_prompt: String::new(),
            passage_prompt: String::new(),
            settings: BTreeMap::new(),
        }
    }

    /// The `n`th key and what belongs under it.
    pub(in crate::cache) fn pair(n: u64) -> (VectorKey, Stored) {
        let key: [u8; 32] = Sha256::digest(n.to_le_bytes()).into();
        let vector = (1..=64).map(|i| (n * i) as f32 + 0.5).collect();
        (VectorKey(key), Stored::whole(Vector::F32(vector)))
    }

    #[test]
    fn a_value_under_another_key_is_not_known() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let mut file = VectorFile::open(&path, &who(), true).unwrap().unwrap();
        file.put(&[pair(1), pair(2)]).unwrap();
        file.connection.execute("UPDATE vectors SET key = ?1 WHERE rowid = 1", [&pair(3).0.0[..]]).unwrap();
        assert_eq!(file.get(&[pair(1).0, pair(2).0, pair(3).0]).unwrap(), (vec![None, Some(pair(2).1), None], 1));
        file.put(&[pair(3)]).unwrap();
        assert_eq!(file.get(&[pair(3).0]).unwrap(), (vec![Some(pair(3).1)], 0));
    }

    #[test]
    fn a_value_of_another_type_is_one_damaged_entry() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = VectorFile::open(&dir.path().join("f"), &who(), true).unwrap().unwrap();
        file.put(&[pair(1), pair(2)]).unwrap();
        file.connection.execute("UPDATE vectors SET value = 7 WHERE rowid = 1", []).unwrap();
        assert_eq!(file.get(&[pair(1).0, pair(2).0]).unwrap(), (vec![None, Some(pair(2).1)], 1));
    }

    #[test]
    fn an_encoder_reads_only_its_own_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        drop(VectorFile::open(&path, &who(), true).unwrap());
        let other = Identity { model: "other".into(), ..who() };
        assert!(matches!(VectorFile::open(&path, &other, false), Err(Trouble::Damaged(_))));
    }

    #[test]
    fn a_full_disk_keeps_none_and_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = VectorFile::open(&dir.path().join("f"), &who(), true).unwrap().unwrap();
        file.put(&[pair(0)]).unwrap();
        file.connection.query_row("PRAGMA max_page_count = 12", [], |row| row.get::<_, i64>(0)).unwrap();
        let many: Vec<_> = (1..500).map(pair).collect();
        let Err(Trouble::Io(why)) = file.put(&many) else { panic!("nothing was said") };
        assert!(why.contains("no room"), "{why}");
        let keys: Vec<_> = (0..500).map(|n| pair(n).0).collect();
        let (found, damaged) = file.get(&keys).unwrap();
        assert_eq!((found.iter().flatten().count(), damaged), (1, 0));
    }
}
