/** Bounds that are part of the wire contract. Operators may change rates and key length; nothing else moves. */
export const limits = {
  pageSizeDefault: 20,
  pageSizeMax: 100,
  internalPageSizeMax: 500,
  studentsPerBatchMax: 200,
  scoresPerRequestMax: 200,
  scoreChangeMax: 10_000,
  usernameLengthMax: 64,
  nameLengthMax: 100,
  descriptionLengthMax: 500,
  passwordLengthMin: 6,
  passwordLengthMax: 128,
  bodyBytesMax: 1_048_576,
  topStudentsMax: 10,
  recentScoresMax: 10,
} as const;
