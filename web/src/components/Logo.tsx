import classes from './Logo.module.css';

export function Logo({ markOnly = false }: { readonly markOnly?: boolean }) {
  return (
    <span className={classes.logo}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#14675f" />
        <path d="M9 10h9M9 16h6M9 22h9" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
        <path d="M23 13v6M20 16h6" stroke="#f6c453" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      <span className={markOnly ? 'visually-hidden' : undefined}>{productName}</span>
    </span>
  );
}

/** Not translated, because it is a proper name. */
const productName = 'Classledger';
