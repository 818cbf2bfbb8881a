//! Encoders and rerankers that run elsewhere: HTTP services and child processes.
