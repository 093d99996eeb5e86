import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useOperation } from '../../api/queries.ts';
import { ClassChoice } from '../../components/StructurePickers.tsx';
import { texts as componentTexts } from '../../components/texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useDistinctClassName } from '../distinct-class-name.ts';
import { taughtClassIdsOf, useMe } from '../me.ts';

interface ClassSwitchProps {
  readonly schoolDb: string;
  readonly value: number;
  readonly onChange: (classId: number) => void;
}

/** With more classes, a list is easier to read than a row of buttons. */
const buttonsMax = 8;

/** Switches between the few classes of a teacher with one tap. Other people choose from a list. */
export function ClassSwitch({ schoolDb, value, onChange }: ClassSwitchProps) {
  const t = useTexts(componentTexts);
  const me = useMe();
  const distinctName = useDistinctClassName();
  const { data: classes = [] } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const strip = useRef<HTMLDivElement>(null);
  const hasButtons = taughtClassIdsOf(me).length > 0 && classes.length > 1 && classes.length <= buttonsMax;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for another class
  useEffect(() => {
    const pressed = strip.current?.querySelector('[aria-pressed="true"]');
    pressed?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [hasButtons, value]);
  if (!hasButtons) {
    const choose = (id: number | null) => id !== null && onChange(id);
    return <ClassChoice schoolDb={schoolDb} value={value} onChange={choose} />;
  }
  return (
    <Group
      ref={strip}
      role="group"
      aria-label={t('class')}
      data-strip
      gap={6}
      wrap="nowrap"
      p={3}
      m={-3}
      style={{ overflowX: 'auto' }}
    >
      {classes.map(({ id, name }) => (
        <Button
          key={id}
          variant={id === value ? 'light' : 'default'}
          aria-pressed={id === value}
          flex="none"
          px="sm"
          onClick={() => onChange(id)}
        >
          {distinctName({ classId: id, className: name })}
        </Button>
      ))}
    </Group>
  );
}
