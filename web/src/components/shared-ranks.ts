/**
 * The rank of each entry of a list that is sorted best first. Equals share one, and the next has as many before it as
 * its rank says: 1, 2, 2, 4. So do the rankings of the server.
 */
export function sharedRanks(points: readonly number[]): number[] {
  let rank = 0;
  return points.map((own, index) => {
    if (index === 0 || points[index - 1] !== own) rank = index + 1;
    return rank;
  });
}
