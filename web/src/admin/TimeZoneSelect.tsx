import { canonicalTimeZone } from '@classledger/contract/school-day';
import { Select, type SelectProps } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { useLanguage } from '../i18n/texts.ts';
import { serverNow } from '../school-time/school-time.ts';
import { isTimeZoneFound } from './time-zone-search.ts';

const shownMax = 60;

const listHeight = 220;

/** Space below the field for the list with its border and the tab bar of a phone, in pixels. */
const spaceBelowPx = listHeight + 90;

export function TimeZoneSelect(
  props: Pick<
    SelectProps,
    'label' | 'description' | 'value' | 'onChange' | 'placeholder' | 'clearable' | 'maw'
  >,
) {
  const language = useLanguage();
  const { value } = props;
  const field = useRef<HTMLInputElement>(null);
  const data = useMemo(() => {
    const here = Intl.supportedValuesOf('timeZone').map((name) => canonicalTimeZone(name) ?? name);
    const names = new Set([...here, 'UTC', ...(value ? [value] : [])]);
    return [...names].sort().map((name) => ({ value: name, label: labelOf(name, language) }));
  }, [language, value]);
  return (
    <Select
      searchable
      filter={({ options, search, limit }) =>
        options.filter((one) => 'value' in one && isTimeZoneFound(one, search, language)).slice(0, limit)
      }
      limit={shownMax}
      maxDropdownHeight={listHeight}
      // Always opens downwards, because a list above the field would cover the label. The page scrolls to make space.
      comboboxProps={{ position: 'bottom', middlewares: { flip: false } }}
      ref={field}
      styles={{ input: { scrollMarginBottom: spaceBelowPx } }}
      // Does not open on focus: the page scrolls then, and would move the field while the mouse button is down.
      openOnFocus={false}
      onDropdownOpen={() => field.current?.scrollIntoView({ block: 'nearest' })}
      data={data}
      nothingFoundMessage="—"
      {...props}
    />
  );
}

/** Returns for example `Asia/Shanghai · China Standard Time · GMT+8`. */
function labelOf(timeZone: string, language: string): string {
  const named = (timeZoneName: 'long' | 'shortOffset') => {
    try {
      const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName }).formatToParts(serverNow());
      return parts.find(({ type }) => type === 'timeZoneName')?.value;
    } catch {
      return undefined;
    }
  };
  const words = [timeZone.replaceAll('_', ' '), named('long'), named('shortOffset')];
  return [...new Set(words)].filter((word) => word !== undefined).join(' · ');
}
