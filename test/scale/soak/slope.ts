/**
 * Growth of the values, relative to their mean, over the second half of the time: the slope of the least-squares line over that
 * half. The first half is warm-up.
 */
export function growth(values: readonly number[]): number {
  const settled = values.slice(Math.floor(values.length / 2));
  const middle = (settled.length - 1) / 2;
  const mean = settled.reduce((sum, value) => sum + value, 0) / settled.length;
  let covariance = 0;
  let variance = 0;
  for (const [index, value] of settled.entries()) {
    covariance += (index - middle) * (value - mean);
    variance += (index - middle) ** 2;
  }
  return variance === 0 ? 0 : ((covariance / variance) * (settled.length - 1)) / mean;
}
