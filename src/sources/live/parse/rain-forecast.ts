// The words of Singapore's two-hour forecast as a likelihood and strength of rain, 0 (dry) to 1 (heavy storm).
// The publisher gives words alone; the numbers only order them.
const rain: Record<string, number> = {
  fair: 0,
  'fair and warm': 0,
  'partly cloudy': 0,
  cloudy: 0.1,
  overcast: 0.2,
  hazy: 0,
  'slightly hazy': 0,
  windy: 0.1,
  'windy, cloudy': 0.1,
  'windy, fair': 0,
  mist: 0,
  fog: 0,
  drizzle: 0.3,
  'light rain': 0.4,
  'light showers': 0.4,
  'passing showers': 0.5,
  'windy, rain': 0.6,
  rain: 0.6,
  'moderate rain': 0.6,
  showers: 0.6,
  'windy, showers': 0.6,
  'strong winds, showers': 0.7,
  'strong winds, rain': 0.7,
  'thundery showers': 0.8,
  'heavy rain': 0.9,
  'heavy showers': 0.9,
  'heavy thundery showers': 1,
  'heavy thundery showers with gusty winds': 1,
};
const byText = new Map(Object.entries(rain));

/** Undefined for words that the table does not hold: they are never guessed. */
export function rainOfForecast(text: string): number | undefined {
  return byText.get(
    text
      .toLowerCase()
      .replace(/\s*\((?:day|night)\)\s*$/, '')
      .trim(),
  );
}
