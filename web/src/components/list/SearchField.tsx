import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import classes from './List.module.css';

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
}

/** Calls `onChange` only when the user stops typing for 250 ms, which saves requests. */
export function SearchField({ value, onChange, placeholder }: SearchFieldProps) {
  const c = useTexts(commonTexts);
  const [typed, setTyped] = useState(value);
  const lastSent = useRef(value);
  const tell = useDebouncedCallback((text: string) => {
    lastSent.current = text;
    onChange(text);
  }, 250);
  // Shows a value that changed from outside, for example because the user pressed Back.
  useEffect(() => {
    if (value === lastSent.current) return;
    lastSent.current = value;
    setTyped(value);
  }, [value]);
  const type = (text: string) => {
    setTyped(text);
    tell(text.trim());
  };
  return (
    <TextInput
      type="search"
      className={classes.search ?? ''}
      wrapperProps={{ 'data-filter': 'search' }}
      aria-label={c('search')}
      placeholder={placeholder}
      leftSection={<IconSearch aria-hidden size={16} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      maxLength={100}
      rightSection={typed !== '' && <CloseButton aria-label={c('clear')} onClick={() => type('')} />}
    />
  );
}
