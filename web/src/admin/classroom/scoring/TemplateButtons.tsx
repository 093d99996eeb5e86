import type { Template } from '@classledger/contract';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useScoring } from './board-context.ts';
import classes from './Give.module.css';
import type { Gift } from './scoring-board.ts';
import { texts } from './texts.ts';

interface TemplateButtonsProps {
  /** In the order of their number keys, see inKeyOrder. */
  readonly templates: readonly Template[];
  readonly onGive: (gift: Gift) => void;
  /** Shows which number key gives what. */
  readonly withKeys?: boolean;
}

/** One button for each template, plus before minus. */
export const TemplateButtons = memo(function TemplateButtons({
  templates,
  onGive,
  withKeys = false,
}: TemplateButtonsProps) {
  const t = useTexts(texts);
  const { format } = useScoring();
  if (templates.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noTemplates')}{' '}
        <Anchor component={Link} to="/templates" size="sm" underline="always">
          {t('toTemplates')}
        </Anchor>
      </Text>
    );
  }
  const halves = [
    { title: t('plus'), sign: 1 },
    { title: t('minus'), sign: -1 },
  ].map((half) => ({
    ...half,
    templates: templates.filter(({ scoreChange }) => Math.sign(scoreChange) === half.sign),
  }));
  return (
    <Stack gap="sm">
      {halves
        .filter((half) => half.templates.length > 0)
        .map((half) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset draws itself
          <div key={half.sign} role="group" aria-label={half.title}>
            <p className={classes.groupTitle}>{half.title}</p>
            <div className={classes.templates}>
              {half.templates.map((template) => {
                const digit = digitOf(templates.indexOf(template));
                return (
                  <button
                    key={template.id}
                    type="button"
                    className={classes.template}
                    data-sign={half.sign}
                    aria-keyshortcuts={withKeys && digit ? digit : undefined}
                    onClick={() => onGive(giftOf(template))}
                  >
                    <span className={classes.templateName}>{template.name}</span>{' '}
                    <span className={classes.templatePoints}>{format.signed(template.scoreChange)}</span>
                    {withKeys && digit && (
                      <span className={classes.digit} aria-hidden>
                        {digit}
                      </span>
                    )}
                  </button>
                );
              })}
            </div>
          </div>
        ))}
    </Stack>
  );
});

/** What a template gives: its description, or where it has none its name, says what for. */
export function giftOf({ scoreChange, description, name }: Template): Gift {
  return { change: scoreChange, description: description || name };
}

/** Plus before minus, small before great: the order of the buttons and of their number keys. */
export function inKeyOrder(templates: readonly Template[]): readonly Template[] {
  const rank = ({ scoreChange }: Template) => (scoreChange > 0 ? scoreChange : 1_000_000 - scoreChange);
  return templates.toSorted((a, b) => rank(a) - rank(b));
}

/** The keys 1 to 9, then 0. */
function digitOf(index: number): string | null {
  return index < 10 ? String((index + 1) % 10) : null;
}
