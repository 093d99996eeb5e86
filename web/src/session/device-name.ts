/** Returns a device's name, such as `Chrome · Windows`; null when it recognises neither browser nor system. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null;
  const browser = firstMatch(browsers, userAgent);
  const system = firstMatch(systems, userAgent);
  if (browser === null && system === null) {
    const program = /^[\w.-]+/.exec(userAgent)?.[0];
    return program && program !== 'Mozilla' ? program : null;
  }
  return [browser, system].filter((part) => part !== null).join(' · ');
}

type Names = readonly (readonly [token: RegExp, name: string])[];

const firstMatch = (names: Names, userAgent: string) =>
  names.find(([token]) => token.test(userAgent))?.[1] ?? null;

/** Derived browsers come first, because their user agents also name the browser that they are built on. */
const browsers: Names = [
  [/MicroMessenger\//, 'WeChat'],
  [/DingTalk\//, 'DingTalk'],
  [/(Lark|Feishu)\//, 'Feishu'],
  [/QQBrowser\//, 'QQ Browser'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Version\/[\d.]+.* Safari\//, 'Safari'],
];

const systems: Names = [
  [/OpenHarmony|HarmonyOS/, 'HarmonyOS'],
  [/iPad/, 'iPad'],
  [/iPhone/, 'iPhone'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];
