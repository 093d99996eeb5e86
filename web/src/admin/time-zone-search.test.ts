import { expect, it } from 'vitest';
import { isTimeZoneFound } from './time-zone-search.ts';

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];

const found = (search: string, language: string) =>
  zones.filter((value) => {
    const label = value.replaceAll('_', ' ');
    return isTimeZoneFound({ value, label }, search, language);
  });

it.each<[search: string, language: string, ...expected: string[]]>([
  ['上海', 'zh', 'Asia/Shanghai'],
  ['上海', 'en', 'Asia/Shanghai'],
  ['北京', 'zh', 'Asia/Shanghai'],
  ['beijing', 'en', 'Asia/Shanghai'],
  ['乌鲁木齐', 'zh', 'Asia/Urumqi'],
  ['香港', 'zh', 'Asia/Hong_Kong'],
  ['澳门', 'zh', 'Asia/Macau'],
  ['台北', 'zh', 'Asia/Taipei'],
  ['新加坡', 'zh', 'Asia/Singapore'],
  ['吉隆坡', 'zh', 'Asia/Kuala_Lumpur'],
  ['纽约', 'zh', 'America/New_York'],
  ['New_York', 'en', 'America/New_York'],
  [' new  york ', 'zh', 'America/New_York'],
  // An unknown place.
  ['火星', 'zh'],
])('the search for %s (%s) finds the time zone that is meant', (search, language, ...expected) => {
  expect(found(search, language)).toEqual(expected);
});
