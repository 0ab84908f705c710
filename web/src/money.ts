/** Returns an amount in minor units of a currency as people write it: 1980 JPY, or 1980 cents. */
export function money(price: { amount: number; currency: string }, language: string): string {
  const format = new Intl.NumberFormat(language, { style: "currency", currency: price.currency });
  return format.format(price.amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
