import { createPortal } from 'react-dom';
import { commonTexts } from '../../../../i18n/common-texts.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { byClass, type InitialPassword } from './initial-password.ts';
import classes from './PasswordSlips.module.css';
import { texts } from './texts.ts';

/**
 * One slip to cut out for each student; every class begins on a new sheet. Seen on paper alone, and while it is
 * there nothing else of the page is printed.
 */
export function PasswordSlips({ passwords }: { readonly passwords: readonly InitialPassword[] }) {
  return createPortal(
    <div className={classes.slips} data-password-slips="">
      {byClass(passwords).map(([classLabel, all]) => (
        <section key={classLabel} className={classes.class}>
          <h2>{classLabel}</h2>
          <ul className={classes.grid}>
            {all.map((one) => (
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
  const c = useTexts(commonTexts);
  const school = useSchool();
  return (
    <li className={classes.slip}>
      <small>{t('slipTitle')}</small>
      <strong>{name}</strong>
      <small>
        {school.name} · {classLabel}
      </small>
      <dl>
        <dt>{t('slipAddress')}</dt>
        <dd>{`${location.origin}/student`}</dd>
        <dt>{c('username')}</dt>
        <dd className={classes.secret}>{username}</dd>
        <dt>{t('password')}</dt>
        <dd className={classes.secret}>{password}</dd>
        <dt>{t('slipSchoolKey')}</dt>
        <dd>{school.schoolDb}</dd>
      </dl>
      <small>{t('slipHint')}</small>
    </li>
  );
}
