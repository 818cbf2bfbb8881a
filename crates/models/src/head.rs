//! What happens to a pooled vector: dense modules, length 1, fewer dimensions.

use eightk_encode::{EncodeError, Similarity};

use crate::folder::{Dense, ModelFolder, SentenceConfig, Step, Weights};
use crate::math::{Activation, Linear, Rows, activate};

enum Stage {
    Dense(Linear, Option<Activation>),
    Normalize,
}

/// The modules after pooling.
pub(crate) struct Head {
    stages: Vec<Stage>,
    dims: usize,
    truncate: bool,
}

impl Head {
    /// Loads the modules for pooled vectors of `width` numbers. `dims` cuts the result; also returns the files read.
    pub(crate) fn load(
        folder: &ModelFolder,
        config: &SentenceConfig,
        width: usize,
        dims: Option<usize>,
    ) -> Result<(Self, Vec<String>), EncodeError> {
        let (mut stages, mut files, mut now) = (Vec::new(), Vec::new(), width);
        for step in &config.steps {
            match step {
                Step::Normalize => stages.push(Stage::Normalize),
                Step::Dense(dense) => {
                    let (stage, file) = load_dense(folder, dense, now)?;
                    stages.push(stage);
                    files.push(file);
                    now = dense.to;
                }
            }
        }
        if let Some(dims) = dims.filter(|d| *d > now) {
            return Err(EncodeError::Usage(format!(
                "dims={dims}: the model's vectors have {now} dimensions; give at most that"
            )));
        }
        let truncate = dims.is_some_and(|d| d < now);
        if truncate && (config.similarity == Similarity::Cosine || config.steps.contains(&Step::Normalize)) {
            stages.push(Stage::Normalize);
        }
        Ok((Self { stages, dims: dims.unwrap_or(now), truncate }, files))
    }

    /// Dimensions of what comes out.
    pub(crate) const fn dims(&self) -> usize {
        self.dims
    }

    /// Whether vectors come out with length 1.
    pub(crate) fn normalizes(&self) -> bool {
        matches!(self.stages.last(), Some(Stage::Normalize))
    }

    /// A pooled vector through all of it.
    pub(crate) fn apply(&self, mut vector: Vec<f32>) -> Vec<f32> {
        let last = self.stages.len().saturating_sub(1);
        for (i, stage) in self.stages.iter().enumerate() {
            match stage {
                Stage::Dense(linear, activation) => {
                    let mut out = vec![0.0; linear.width()];
                    linear.apply(Rows::dense(&vector, vector.len()), &mut out);
                    if let Some(activation) = activation {
                        activate(*activation, &mut out);
                    }
                    vector = out;
                }
                Stage::Normalize => {
                    if self.truncate && i == last {
                        vector.truncate(self.dims);
                    }
                    normalize(&mut vector);
                }
            }
        }
        vector.truncate(self.dims);
        vector
    }
}

/// To length 1; a vector of zeros stays one, for whoever checks vectors to find.
pub(crate) fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x = (f64::from(*x) / length) as f32);
    }
}

fn load_dense(folder: &ModelFolder, dense: &Dense, from: usize) -> Result<(Stage, String), EncodeError> {
    let config = format!("{}/config.json", dense.path);
    if dense.from != from || dense.to == 0 {
        let why = format!("maps {} numbers to {}, but gets {from}", dense.from, dense.to);
        return Err(folder.bad(&config, why));
    }
    let activation = match dense.activation.as_str() {
        "Identity" => None,
        "Tanh" => Some(Activation::Tanh),
        "GELU" => Some(Activation::Gelu),
        "ReLU" => Some(Activation::Relu),
        "SiLU" => Some(Activation::Silu),
        other => return Err(folder.bad(&config, format_args!("activation_function {other} is not known here"))),
    };
    let file = format!("{}/model.safetensors", dense.path);
    if !folder.has(&file) && folder.has(&format!("{}/pytorch_model.bin", dense.path)) {
        return Err(folder.missing(
            &file,
            "the dense module; there is only pytorch_model.bin: save the model again with safe_serialization=True",
        ));
    }
    let weights = Weights::of_files(folder, vec![file.clone()])?;
    let linear = Linear::load(&weights.under(&["linear.", ""], "weight")?, dense.from, dense.to)?;
    Ok((Stage::Dense(linear, activation), file))
}
