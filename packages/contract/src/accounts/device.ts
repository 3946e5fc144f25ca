/** Name patterns in the order they must be tried: most browsers also name the browsers they derive from. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bRmeet(?:Client)?\b/i, 'Rmeet'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\/|\bChromium\b/, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPod/, 'iOS'],
  [/iPad/, 'iPadOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Browser and operating system from the `user-agent` header; null if unknown. */
export function deviceOf(userAgent: string): { browser: string | null; system: string | null } {
  const nameIn = (names: readonly [RegExp, string][]): string | null =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
