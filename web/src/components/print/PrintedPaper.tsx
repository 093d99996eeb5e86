import { type ReactNode, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { serverNow } from '../../school-time/server-clock.ts';
import classes from './Print.module.css';
import { texts } from './texts.ts';

/** What is printed, whole. */
export interface Paper {
  readonly title: string;
  /** Whose it is: the school, first of all. */
  readonly of: string;
  /** What the list was narrowed by, in words. */
  readonly filters: readonly string[];
  /** How many rows it has, in words. */
  readonly count?: string;
  /** So many entries could not be caught while they were read. */
  readonly missing?: number;
  /** Wide tables. */
  readonly landscape?: boolean;
  readonly content: ReactNode;
}

/** Only paper shows it, black on white, and nothing of the page beside it. */
export function PrintedPaper({ paper }: { readonly paper: Paper }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { title, of, filters, count, missing = 0, landscape, content } = paper;
  const facts = [
    ...(filters.length > 0 ? [t('filters', { filters: filters.join(' · ') })] : []),
    ...(count === undefined ? [] : [count]),
    t('printedAt', { when: format.dateTime(new Date(serverNow()).toISOString()) }),
  ];
  useLayoutEffect(() => {
    // What stands below each page, where only the style sheet reaches.
    const { style } = document.documentElement;
    style.setProperty('--paper-name', JSON.stringify(`${title} · ${of}`));
    return () => void style.removeProperty('--paper-name');
  }, [title, of]);
  return createPortal(
    <div className={classes.paper} data-paper="" data-landscape={landscape || undefined} aria-hidden>
      <h1>{title}</h1>
      <p className={classes.of}>{of}</p>
      <p>{facts.join(' · ')}</p>
      {missing > 0 && <p>{t('rowsMissing', { count: missing })}</p>}
      {content}
    </div>,
    document.body,
  );
}
