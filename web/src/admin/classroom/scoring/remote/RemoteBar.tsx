import type { Template } from '@classledger/contract';
import { ActionIcon, Select, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconDeviceRemote, IconX } from '@tabler/icons-react';
import { type RefObject, useId } from 'react';
import { useTexts } from '../../../../i18n/texts.ts';
import { useMe } from '../../../me.ts';
import { useChoice, useScoring, useStudentNameOf } from '../board-context.ts';
import { giftFromTemplate } from '../GivePanel.tsx';
import type { Gift } from '../scoring-board.ts';
import { texts } from '../texts.ts';
import classes from './Remote.module.css';
import { useRemote } from './use-remote.ts';

interface RemoteBarProps {
  readonly templates: readonly Template[];
  readonly area: RefObject<HTMLElement | null>;
  readonly enabled: boolean;
  readonly onGive: (gift: Gift) => void;
  readonly onClose: () => void;
}

export function RemoteBar({ templates, area, enabled, onGive, onClose }: RemoteBarProps) {
  const t = useTexts(texts);
  const me = useMe();
  const label = useId();
  const { board, format } = useScoring();
  const nameOf = useStudentNameOf();
  const { ids } = useChoice();
  const [kept, keep] = useLocalStorage<number | null>({
    key: `classledger.remote.template.${me.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const template = templates.find(({ id }) => id === kept) ?? templates[0];
  useRemote(
    {
      walk: (step) => {
        const all = board.present;
        if (all.length === 0) return;
        const at = ids.length === 1 ? all.indexOf(ids[0] as number) : -1;
        const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length;
        const id = all[next] as number;
        board.choose([id]);
        area.current?.querySelector(`[data-student="${id}"]`)?.scrollIntoView({ block: 'nearest' });
      },
      give: () => {
        if (template) onGive(giftFromTemplate(template));
      },
      release: () => board.clearChoice(),
    },
    enabled,
  );
  const [only] = ids;
  return (
    <section className={classes.bar} aria-label={t('remote')}>
      <IconDeviceRemote aria-hidden size={22} />
      <Text fw={650} className={classes.who ?? ''} aria-live="polite">
        {ids.length === 1 && only !== undefined ? (nameOf(only) ?? '') : t('remoteNobody')}
      </Text>
      <Text size="sm" c="dimmed" className={classes.hint ?? ''}>
        {t('remoteHint')}
      </Text>
      <Text size="sm" id={label}>
        {t('remoteGives')}
      </Text>
      <Select
        aria-labelledby={label}
        value={template ? String(template.id) : null}
        onChange={(value) => keep(value === null ? null : Number(value))}
        data={templates.map(({ id, name, scoreChange }) => ({
          value: String(id),
          label: `${name} ${format.signed(scoreChange)}`,
        }))}
        allowDeselect={false}
        w={200}
      />
      <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('remoteEnd')} onClick={onClose}>
        <IconX aria-hidden size={20} />
      </ActionIcon>
    </section>
  );
}
