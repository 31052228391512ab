/**
 * Amounts of money: in the city's currency, in hundredths where they are stored (`value_cents`), whatever the number of
 * decimals that the currency is written with.
 */

/** The value of a field named `_sgd`: null in a city with another currency. */
export const inSgd = <T>(currency: string, amount: T): T | null => (currency === 'SGD' ? amount : null);

/** '12.50', with as many decimals as the currency has. */
export function amountText(amount: number, currency: string): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return amount.toFixed(maximumFractionDigits);
}

/** Savings less losses: 'SGD 12.50 was kept from being wasted'. */
export const savedText = (net: number, currency: string): string =>
  `${moneyText(Math.abs(net), currency)} ${net < 0 ? 'more than usual went to waste' : 'was kept from being wasted'}`;

/** 'SGD 12.50' */
export const moneyText = (amount: number, currency: string): string =>
  `${currency} ${amountText(amount, currency)}`;
