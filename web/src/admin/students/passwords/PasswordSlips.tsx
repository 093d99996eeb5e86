import { createPortal } from 'react-dom';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { type InitialPassword, slipSheets } from './initial-password.ts';
import classes from './PasswordSlips.module.css';
import { texts } from './texts.ts';

/**
 * One slip to cut out for each student, ten on a sheet of A4. Seen on paper alone, and while it is there nothing else
 * of the page is printed.
 */
export function PasswordSlips({ passwords }: { readonly passwords: readonly InitialPassword[] }) {
  const t = useTexts(texts);
  return createPortal(
    <div className={classes.slips} data-password-slips="">
      {slipSheets(passwords).map(({ classLabel, n, of, passwords: own }) => (
        <section key={`${classLabel} ${n}`} className={classes.sheet}>
          <h2>
            {classLabel}
            <small>{t('slipSheet', { n, of })}</small>
          </h2>
          <ul className={classes.grid}>
            {own.map((one) => (
              <Slip key={one.username} {...one} />
            ))}
          </ul>
        </section>
      ))}
    </div>,
    document.body,
  );
}

function Slip({ name, username, classLabel, password }: InitialPassword) {
  const t = useTexts(texts);
  const school = useSchool();
  return (
    <li className={classes.slip}>
      <small className={classes.top}>
        {t('slipTitle')}
        <b>{classLabel}</b>
      </small>
      <strong>{name}</strong>
      <small>{school.name}</small>
      <dl>
        <dt>{t('slipAddress')}</dt>
        <dd className={classes.address}>{`${location.origin}/student`}</dd>
        <dt>{t('username')}</dt>
        <dd className={classes.secret}>{username}</dd>
        <dt>{t('password')}</dt>
        <dd className={classes.secret}>{password}</dd>
        <dt>{t('slipSchoolCode')}</dt>
        <dd>{school.schoolDb}</dd>
      </dl>
      <small className={classes.quiet}>{t('slipHint')}</small>
    </li>
  );
}
