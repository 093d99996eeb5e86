import { useTexts } from '../i18n/texts.ts';
import { type Strength, strengthOf } from './password-strength.ts';
import { passwordTexts } from './password-texts.ts';
import classes from './StrengthMeter.module.css';

interface StrengthMeterProps {
  readonly password: string;
  /** Words that another person would try first: username, name, school. */
  readonly own: readonly string[];
  readonly lengthMin: number;
}

const words = ['strength0', 'strength1', 'strength2', 'strength3'] as const;

export function StrengthMeter({ password, own, lengthMin }: StrengthMeterProps) {
  const t = useTexts(passwordTexts);
  const isTooShort = [...password].length < lengthMin;
  // A password that is too short is shown as weak, because the form refuses it.
  const strength: Strength | null =
    password === '' ? null : isTooShort ? { level: 0, tip: null } : strengthOf(password, own);
  const level = strength?.level ?? -1;
  return (
    <div className={classes.meter}>
      <div className={classes.bar} data-level={level} aria-hidden>
        {words.map((word, i) => (
          <span key={word} data-filled={i <= level || undefined} />
        ))}
      </div>
      <p className={classes.text} role="status">
        {strength && (
          <>
            <strong>{t(words[strength.level])}</strong>
            {isTooShort ? (
              <> {t('tooShort', { count: lengthMin })}</>
            ) : (
              strength.tip && <> {t(strength.tip)}</>
            )}
          </>
        )}
      </p>
    </div>
  );
}
