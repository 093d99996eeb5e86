/** Equals share a rank, and the next rank skips them: 1, 2, 2, 4. The server ranks the same way. */
export function sharedRanks(points: readonly number[]): number[] {
  let rank = 0;
  return points.map((own, index) => {
    if (index === 0 || points[index - 1] !== own) rank = index + 1;
    return rank;
  });
}
