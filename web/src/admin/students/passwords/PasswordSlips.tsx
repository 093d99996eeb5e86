import { Box, Stack, Text } from '@mantine/core';
import { createPortal } from 'react-dom';
import { QrCode } from '../../../components/QrCode.tsx';
import { useFormat } from '../../../i18n/format.ts';
import type { Language } from '../../../i18n/language.ts';
import { translatorOf, useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { type InitialPassword, type SlipRecipients, signInCodeUrl, slipSheets } from './initial-password.ts';
import classes from './PasswordSlips.module.css';
import { texts } from './texts.ts';

interface Whose {
  readonly whose: SlipRecipients;
}

interface PasswordSlipsProps extends Whose {
  readonly passwords: readonly InitialPassword[];
}

export function PasswordSlips({ whose, passwords }: PasswordSlipsProps) {
  const t = useTexts(texts);
  const { name } = useSchool();
  return createPortal(
    <div className={`${classes.slips} only-print`} data-paper="" data-password-slips="">
      {slipSheets(passwords, whose).map(({ classLabel, n, of, passwords: own }) => (
        <section key={`${classLabel} ${n}`} className={classes.sheet}>
          <h2>
            {classLabel ?? name}
            <Text component="small" fz="9pt">
              {t('slipSheet', { n, of })}
            </Text>
          </h2>
          <ul className={`plain-list ${classes.grid}`}>
            {own.map((one) => (
              <Slip key={one.username} whose={whose} {...one} />
            ))}
          </ul>
        </section>
      ))}
    </div>,
    document.body,
  );
}

/** Returns whether a name needs smaller letters. Chinese characters are about twice as wide as others. */
const isLong = (name: string) => [...name].length > (/\p{Script=Han}/u.test(name) ? 9 : 17);

/** A slip in both languages, because the family may read another language than the administrator. */
function Slip({ whose, ...slip }: InitialPassword & Whose) {
  const { name, username, classLabel, password, passwordEndsAt, signInCode } = slip;
  const t = useTexts(texts);
  const school = useSchool();
  const languages: readonly Language[] = useLanguage() === 'en' ? ['en', 'zh-CN'] : ['zh-CN', 'en'];
  const both = (key: 'username' | 'password' | 'schoolCode') =>
    languages.map((language) => translatorOf(texts, language)(key)).join(' ');
  const small = { component: 'small', fz: '8pt', lh: 1.25 } as const;
  return (
    <li className={classes.slip}>
      <Stack gap={0} miw={0}>
        <Text
          component="strong"
          fw={700}
          lineClamp={2}
          {...(isLong(name) ? { fz: '9.5pt', lh: 1.15 } : { fz: '13pt', lh: 1.2 })}
        >
          {name}
        </Text>
        <Text {...small} lineClamp={2}>
          {classLabel} · {school.name}
        </Text>
        {whose === 'students' && (
          <Text {...small}>
            {both('schoolCode')} <b>{school.schoolDb}</b>
          </Text>
        )}
        <dl>
          <dt>{both('username')}</dt>
          <dd data-long={username.length > 16 || undefined}>{username}</dd>
          <dt>{both('password')}</dt>
          <dd>{password}</dd>
        </dl>
      </Stack>
      {signInCode !== null && (
        <div className={classes.code}>
          <QrCode text={signInCodeUrl(signInCode)} label={t('slipCode')} size={121} />
        </div>
      )}
      <div className={classes.steps}>
        {languages.map((language) => (
          <Steps
            key={language}
            whose={whose}
            language={language}
            byCode={signInCode !== null}
            endsAt={passwordEndsAt}
          />
        ))}
      </div>
    </li>
  );
}

interface StepsProps extends Whose {
  readonly language: Language;
  readonly byCode: boolean;
  readonly endsAt: string | null;
}

function Steps({ whose, language, byCode, endsAt }: StepsProps) {
  const format = useFormat(language);
  const t = translatorOf(texts, language);
  const address = `${location.host}/${whose === 'staff' ? 'admin' : 'student'}`;
  return (
    // Slips of staff have no QR code, so the steps can be larger, but must fit below long names.
    <Box component="ol" lang={language} m={0} ps="4mm" fz={whose === 'staff' ? '8pt' : '7.5pt'} lh={1.2}>
      <li>{t(byCode ? 'slipScan' : 'slipOpen', { address })}</li>
      <li>{endsAt ? t('slipChooseBy', { day: format.day(endsAt) }) : t('slipChoose')}</li>
    </Box>
  );
}
