import { Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import classes from '../../lists/Lists.module.css';
import { patternWords, translatePattern, usernamePatterns } from './propose-usernames.ts';
import { texts } from './texts.ts';

interface UsernamePatternProps {
  readonly pattern: string;
  readonly fault: string | false;
  readonly exampleOf: (pattern: string) => string;
  readonly onPattern: (pattern: string) => void;
}

const all = Object.keys(usernamePatterns) as (keyof typeof usernamePatterns)[];

export function UsernamePattern({ pattern, fault, exampleOf, onPattern }: UsernamePatternProps) {
  const t = useTexts(texts);
  const language = useLanguage() === 'en' ? 'en' : 'zh';
  const known = all.find((one) => usernamePatterns[one] === pattern);
  // Offers only patterns that give a username for the list's first student.
  const offered = all.filter((one) => one === known || exampleOf(usernamePatterns[one]) !== '');
  const [isOwn, setOwn] = useState(known === undefined);
  const choose = (value: string) => {
    const next = offered.find((one) => one === value);
    setOwn(next === undefined);
    onPattern(next ? usernamePatterns[next] : translatePattern(pattern, language));
  };
  const words = Object.values(patternWords).map((word) => `{${word[language]}}`);
  const { number, entry } = patternWords;
  return (
    <Radio.Group
      label={t('patternTitle')}
      description={t('patternHint')}
      value={isOwn ? 'own' : (known ?? 'own')}
      onChange={choose}
    >
      <Stack gap={0} mt={8} className={classes.choices ?? ''}>
        {offered.map((one) => (
          <Radio
            key={one}
            value={one}
            label={
              <Group gap={10}>
                {t(`pattern_${one}`)}
                <span className={classes.example}>{exampleOf(usernamePatterns[one])}</span>
              </Group>
            }
          />
        ))}
        <Radio value="own" label={t('pattern_own')} />
      </Stack>
      {isOwn && (
        <TextInput
          mt={8}
          maw={480}
          label={t('patternOwn')}
          description={t('patternWords', {
            words: words.join(' '),
            example: `{${entry[language]}}{${number[language]}4}`,
          })}
          value={pattern}
          onChange={(event) => onPattern(event.currentTarget.value)}
          spellCheck={false}
          error={fault}
        />
      )}
      {!isOwn && fault !== false && (
        <Text c="red" size="sm" role="alert">
          {fault}
        </Text>
      )}
    </Radio.Group>
  );
}
