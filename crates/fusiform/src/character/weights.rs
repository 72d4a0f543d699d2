//! Who moves a vertex, and how much: joints of a skin, muscles of a layer.

/// Sparse weights of one mesh: the influences of vertex `v` are entries `start[v] .. start[v + 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseWeights {
    /// n_vertex + 1, first 0, never decreasing, last = number of entries.
    pub start: Vec<u32>,
    /// One per entry: index of the joint or muscle.
    pub index: Vec<u16>,
    /// One per entry: >= 0. Joint weights of a vertex sum to 1; muscle weights sum to at most 1.
    pub weight: Vec<f32>,
}

impl Default for SparseWeights {
    fn default() -> Self {
        Self { start: vec![0], index: Vec::new(), weight: Vec::new() }
    }
}

impl SparseWeights {
    /// Append the influences of the next vertex.
    pub fn push_vertex(&mut self, influences: impl IntoIterator<Item = (u16, f32)>) {
        for (index, weight) in influences {
            self.index.push(index);
            self.weight.push(weight);
        }
        self.start.push(self.index.len() as u32);
    }

    /// Influences 4 x `set` to 4 x `set` + 3 of every vertex, as files and GPUs hold them; what is missing is 0, 0.
    #[must_use]
    pub fn set_of_four(&self, set: usize) -> (Vec<[u16; 4]>, Vec<[f32; 4]>) {
        let (mut index, mut weight) = (vec![[0; 4]; self.len()], vec![[0.0; 4]; self.len()]);
        for v in 0..self.len() {
            for (k, influence) in self.of(v).skip(4 * set).take(4).enumerate().filter(|(_, (_, weight))| *weight > 0.0)
            {
                (index[v][k], weight[v][k]) = influence;
            }
        }
        (index, weight)
    }

    /// How many vertices have been given their influences.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether no vertex has been given influences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index that weighs most on that vertex, the smallest of several; none where nothing does.
    #[must_use]
    pub fn heaviest(&self, vertex: usize) -> Option<u16> {
        self.of(vertex).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(index, _)| index)
    }

    /// (index, weight) of every influence of that vertex.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let entries = self.start[vertex] as usize..self.start[vertex + 1] as usize;
        entries.map(|e| (self.index[e], self.weight[e]))
    }
}
