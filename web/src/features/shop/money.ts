interface Price {
  amount: number;
  currency: string;
}

const unit = (currency: string) =>
  10 **
  (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
    .maximumFractionDigits ?? 2);

/** Returns an amount in minor units of a currency as people write it: 1980 JPY, or 1980 cents. */
export const money = ({ amount, currency }: Price, language: string): string =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(amount / unit(currency));

/** Returns the names of currencies as people write them: Japanese Yen and Euro. */
export function currencies(codes: string[], language: string): string {
  const names = new Intl.DisplayNames(language, { type: "currency" });
  return new Intl.ListFormat(language).format(codes.map((code) => names.of(code) ?? code));
}

/** Returns an amount in minor units in whole units of its currency: 19.8 for 1980 cents. */
export const major = ({ amount, currency }: Price): number => amount / unit(currency);

/** Returns an amount in whole units of a currency in its minor units: 1980 cents for 19.8. */
export const minor = (amount: number, currency: string): Price => ({
  amount: Math.round(amount * unit(currency)),
  currency,
});
