import type { ListedStudent } from '@classledger/contract';
import { Button, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronUp } from '@tabler/icons-react';
import { SelectionBar } from '../../../../components/list/SelectionBar.tsx';
import { useTexts } from '../../../../i18n/texts.ts';
import { texts as actionTexts } from '../../actions/texts.ts';
import { texts } from '../../texts.ts';
import type { BulkKind } from './bulk-kinds.ts';

interface BulkBarProps {
  readonly selected: readonly ListedStudent[];
  readonly count: number;
  readonly total: number;
  readonly selectingAll: boolean;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
  readonly onChoose: (kind: BulkKind) => void;
  readonly mayMove: boolean;
}

export function BulkBar({ selected, onChoose, mayMove, ...bar }: BulkBarProps) {
  const t = useTexts(texts);
  const a = useTexts(actionTexts);
  const narrow = useMediaQuery('(max-width: 75em)', undefined, { getInitialValueInEffect: false });
  const offers = [
    ...(mayMove ? [{ kind: 'move' as const, label: a('move') }] : []),
    ...(selected.some(({ disabled }) => !disabled)
      ? [{ kind: 'disable' as const, label: t('disable') }]
      : []),
    ...(selected.some(({ disabled }) => disabled) ? [{ kind: 'enable' as const, label: t('enable') }] : []),
    { kind: 'resetPasswords' as const, label: a('resetPassword') },
    { kind: 'delete' as const, label: t('delete') },
  ];
  return (
    <SelectionBar label={t('selection')} {...bar}>
      {narrow ? (
        <Menu position="top-end">
          <Menu.Target>
            <Button disabled={bar.selectingAll} rightSection={<IconChevronUp aria-hidden size={16} />}>
              {t('actions')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offers.map(({ kind, label }) => (
              <Menu.Item
                key={kind}
                onClick={() => onChoose(kind)}
                {...(kind === 'delete' && { color: 'red' })}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        offers.map(({ kind, label }) => (
          <Button
            key={kind}
            variant="default"
            disabled={bar.selectingAll}
            onClick={() => onChoose(kind)}
            {...(kind === 'delete' && { color: 'red', variant: 'light' })}
          >
            {label}
          </Button>
        ))
      )}
    </SelectionBar>
  );
}
