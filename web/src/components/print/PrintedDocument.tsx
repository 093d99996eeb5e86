import { type ReactNode, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { serverNow } from '../../school-time/server-clock.ts';
import classes from './Print.module.css';
import { texts } from './texts.ts';

export interface PrintDocument {
  readonly title: string;
  readonly subject: string;
  readonly filters: readonly string[];
  readonly count?: string;
  readonly missing?: number;
  readonly landscape?: boolean;
  readonly content: ReactNode;
}

export function PrintedDocument({ paper }: { readonly paper: PrintDocument }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { title, subject, filters, count, missing = 0, landscape, content } = paper;
  const facts = [
    ...(filters.length > 0 ? [t('filters', { filters: filters.join(' · ') })] : []),
    ...(count === undefined ? [] : [count]),
    t('printedAt', { when: format.dateTime(new Date(serverNow()).toISOString()) }),
  ];
  useLayoutEffect(() => {
    // Sets the footer of each sheet, which only a style sheet can change.
    const { style } = document.documentElement;
    style.setProperty('--paper-name', JSON.stringify(`${title} · ${subject}`));
    return () => void style.removeProperty('--paper-name');
  }, [title, subject]);
  return createPortal(
    <div className={classes.paper} data-paper="" data-landscape={landscape || undefined} aria-hidden>
      <h1>{title}</h1>
      <p className={classes.subject}>{subject}</p>
      <p>{facts.join(' · ')}</p>
      {missing > 0 && <p>{t('rowsMissing', { count: missing })}</p>}
      {content}
    </div>,
    document.body,
  );
}
