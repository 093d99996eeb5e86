import type { Student } from '@classledger/contract';
import { FocusTrap } from '@mantine/core';
import { useFullscreenDocument } from '@mantine/hooks';
import { IconArrowBackUp, IconMaximize, IconX } from '@tabler/icons-react';
import { type CSSProperties, memo, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useStudentNames } from '../../../../components/student-names.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { useChoice, useScoring, useStudentNameOf, useStudentView } from '../board-context.ts';
import { giftFromTemplate, type TemplatesState } from '../GivePanel.tsx';
import { GivenPoints } from '../Marks.tsx';
import type { Gift } from '../scoring-board.ts';
import { texts } from '../texts.ts';
import classes from './TouchBoard.module.css';

interface TouchBoardProps {
  readonly students: readonly Student[];
  readonly templates: TemplatesState;
  readonly children?: ReactNode;
  readonly onGive: (gift: Gift) => void;
  readonly onClose: () => void;
}

/** One tap selects, the next gives. Children reach the templates at the bottom. */
export function TouchBoard({ students, templates, children, onGive, onClose }: TouchBoardProps) {
  const t = useTexts(texts);
  const { board, format } = useScoring();
  const { ids } = useChoice();
  const nameOf = useStudentNameOf();
  const { fullscreen, toggle } = useFullscreenDocument();
  const entered = useRef(false);
  useEffect(() => {
    // The tap that opened the board permits it. If the browser refuses, the board fills the window.
    if (entered.current || document.fullscreenElement) return;
    entered.current = true;
    void document.documentElement.requestFullscreen?.().catch(() => {});
  }, []);
  // Students selected on the page below must not get the first points here.
  useLayoutEffect(() => board.clearChoice(), [board]);
  useLayoutEffect(() => {
    const { overflow } = document.body.style;
    document.body.style.overflow = 'hidden';
    return () => {
      document.body.style.overflow = overflow;
    };
  }, []);
  const close = () => {
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    board.clearChoice();
    onClose();
  };
  const chosen = ids.length;
  const who =
    chosen === 0
      ? t('touchNobody')
      : chosen === 1
        ? (nameOf(ids[0] as number) ?? '')
        : t('chosenCount', { count: chosen });
  return (
    <FocusTrap>
      <div
        className={classes.board}
        role="dialog"
        aria-modal="true"
        aria-label={t('touchBoard')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      >
        <div className={classes.top}>
          <p className={classes.who} aria-live="polite">
            {who}
          </p>
          <button type="button" className={classes.tool} onClick={() => board.chooseAll()}>
            {t('chooseAll')}
          </button>
          <button
            type="button"
            className={classes.tool}
            disabled={chosen === 0}
            onClick={() => board.clearChoice()}
          >
            {t('chooseNone')}
          </button>
          <button type="button" className={classes.tool} onClick={() => board.undoNewest()}>
            <IconArrowBackUp aria-hidden size={24} />
            <span className="words-on-wide">{t('undo')}</span>
          </button>
          {!fullscreen && (
            <button
              type="button"
              className={classes.tool}
              aria-label={t('touchFull')}
              onClick={() => void toggle()}
            >
              <IconMaximize aria-hidden size={24} />
            </button>
          )}
          <button type="button" className={classes.tool} onClick={close} data-autofocus>
            <IconX aria-hidden size={24} />
            <span className="words-on-wide">{t('close')}</span>
          </button>
        </div>
        <ul className={classes.students} aria-label={t('students')}>
          {students.map(({ id }) => (
            <li key={id}>
              <Card id={id} />
            </li>
          ))}
        </ul>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset draws itself */}
        <div
          className={classes.give}
          role="group"
          aria-label={t('give')}
          style={{ '--templates-across': columnCount(templates.list.length) } as CSSProperties}
        >
          {templates.instead}
          {templates.list.map((template) => (
            <button
              key={template.id}
              type="button"
              className={classes.template}
              data-sign={Math.sign(template.scoreChange)}
              // Not `disabled`: the keyboard must reach buttons in the scrolled part.
              aria-disabled={chosen === 0}
              onClick={() => onGive(giftFromTemplate(template))}
            >
              <span>{template.name}</span>
              <strong>{format.signed(template.scoreChange)}</strong>
            </button>
          ))}
        </div>
        {children}
      </div>
    </FocusTrap>
  );
}

const columnCount = (count: number) => Math.max(1, count <= 8 ? count : Math.ceil(count / 2));

const Card = memo(function Card({ id }: { readonly id: number }) {
  const { board, format } = useScoring();
  const { numberOf } = useStudentNames();
  const t = useTexts(texts);
  const view = useStudentView(id);
  if (!view) return null;
  const { student, total, chosen, absent, flash } = view;
  const number = numberOf(student);
  return (
    <button
      type="button"
      className={classes.card}
      aria-pressed={chosen === 'yes'}
      data-chosen={chosen}
      data-absent={absent || undefined}
      onClick={() => board.toggle(id)}
    >
      <span className={classes.name}>
        {student.actualName}
        {number !== null && <span className={classes.number}> {number}</span>}
      </span>
      {absent ? (
        <span className={classes.total}>{t('absent')}</span>
      ) : (
        <span className={classes.total}>{format.number(total)}</span>
      )}
      {flash && <GivenPoints flash={flash} />}
    </button>
  );
});
