import { createPortal } from 'react-dom';
import { QrCode } from '../../../components/QrCode.tsx';
import { useFormat } from '../../../i18n/format.ts';
import type { Language } from '../../../i18n/language.ts';
import { translatorOf, useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { type InitialPassword, type SlipRecipients, signInCodeUrl, slipSheets } from './initial-password.ts';
import classes from './PasswordSlips.module.css';
import { texts } from './texts.ts';

interface PasswordSlipsProps {
  readonly whose: SlipRecipients;
  readonly passwords: readonly InitialPassword[];
}

/** Printed sign-in slips: hidden on the screen; on paper they replace the page. */
export function PasswordSlips({ whose, passwords }: PasswordSlipsProps) {
  const t = useTexts(texts);
  const { name } = useSchool();
  return createPortal(
    <div className={classes.slips} data-password-slips="">
      {slipSheets(passwords, whose).map(({ classLabel, n, of, passwords: own }) => (
        <section key={`${classLabel} ${n}`} className={classes.sheet}>
          <h2>
            {classLabel ?? name}
            <small>{t('slipSheet', { n, of })}</small>
          </h2>
          <ul className={classes.grid}>
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
function Slip({
  whose,
  name,
  username,
  classLabel,
  password,
  passwordEndsAt,
  signInCode,
}: InitialPassword & Pick<PasswordSlipsProps, 'whose'>) {
  const t = useTexts(texts);
  const school = useSchool();
  const languages: readonly Language[] = useLanguage() === 'en' ? ['en', 'zh-CN'] : ['zh-CN', 'en'];
  const both = (key: 'username' | 'password' | 'schoolCode') =>
    languages.map((language) => translatorOf(texts, language)(key)).join(' ');
  return (
    <li className={classes.slip}>
      <div className={classes.slipText}>
        <strong data-long={isLong(name) || undefined}>{name}</strong>
        <small className={classes.address}>
          {classLabel} · {school.name}
        </small>
        {whose === 'students' && (
          <small className={classes.schoolCode}>
            {both('schoolCode')} <b>{school.schoolDb}</b>
          </small>
        )}
        <dl>
          <dt>{both('username')}</dt>
          <dd className={classes.secret} data-long={username.length > 16 || undefined}>
            {username}
          </dd>
          <dt>{both('password')}</dt>
          <dd className={classes.secret}>{password}</dd>
        </dl>
      </div>
      {signInCode !== null && (
        <div className={classes.code}>
          <QrCode text={signInCodeUrl(signInCode)} label={t('slipCode')} size={120} />
        </div>
      )}
      <div className={classes.steps} data-whose={whose}>
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

interface StepsProps extends Pick<PasswordSlipsProps, 'whose'> {
  readonly language: Language;
  readonly byCode: boolean;
  readonly endsAt: string | null;
}

function Steps({ whose, language, byCode, endsAt }: StepsProps) {
  const format = useFormat(language);
  const t = translatorOf(texts, language);
  const address = `${location.host}/${whose === 'staff' ? 'admin' : 'student'}`;
  return (
    <ol lang={language}>
      <li>{t(byCode ? 'slipScan' : 'slipOpen', { address })}</li>
      <li>{endsAt ? t('slipChooseBy', { day: format.day(endsAt) }) : t('slipChoose')}</li>
    </ol>
  );
}
