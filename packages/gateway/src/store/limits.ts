export const limits = {
  /** One stuck caller must not hold the writer for longer. */
  transactionMs: 5_000,
  checkMs: 2_000,
  groupCommit: {
    capacity: 10_000,
    /** Keeps the time of one commit, and so the wait of the next batch, in hand. */
    largestBatch: 1_000,
  },
};
