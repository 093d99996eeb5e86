import { Center, Flex, Group, UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';

interface StepsProps<Step extends string> {
  readonly label: string;
  readonly steps: readonly { readonly step: Step; readonly label: string }[];
  readonly active: Step;
  readonly onBack: ((step: Step) => void) | null;
}

const looks = {
  done: { bd: '1px solid transparent', bg: 'var(--app-accent-soft)', c: 'var(--app-accent)' },
  active: { bd: '1px solid var(--app-accent)', bg: 'var(--app-accent)', c: 'var(--app-surface)' },
  later: { bd: '1px solid var(--app-line)' },
};

export function Steps<Step extends string>({ label, steps, active, onBack }: StepsProps<Step>) {
  const present = steps.findIndex(({ step }) => step === active);
  return (
    <nav aria-label={label}>
      <Flex
        component="ol"
        className="plain-list"
        wrap="wrap"
        gap={{ base: '4px 12px', sm: '4px 20px' }}
        mb={24}
      >
        {steps.map(({ step, label: name }, index) => {
          const done = index < present;
          const isActive = index === present;
          const content = (
            <Group component="span" gap={8} py={4} {...(isActive ? { fw: 600 } : { c: 'dimmed' })}>
              <Center
                component="span"
                w={26}
                h={26}
                bdrs="50%"
                fz="sm"
                {...looks[done ? 'done' : isActive ? 'active' : 'later']}
              >
                {done ? <IconCheck aria-hidden size={15} stroke={2.4} /> : index + 1}
              </Center>
              <span className={isActive ? undefined : 'words-on-wide'}>{name}</span>
            </Group>
          );
          return (
            <li key={step} aria-current={isActive && 'step'}>
              {done && onBack ? (
                <UnstyledButton onClick={() => onBack(step)}>{content}</UnstyledButton>
              ) : (
                content
              )}
            </li>
          );
        })}
      </Flex>
    </nav>
  );
}
