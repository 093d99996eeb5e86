import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import classes from './BackToStudents.module.css';
import { texts } from './texts.ts';

/** The way back from a page below the students' list. */
export function BackToStudents() {
  const t = useTexts(texts);
  return (
    <Anchor
      renderRoot={(props) => <Link to="/students" {...props} />}
      size="sm"
      className={`${classes.back} no-print`}
    >
      <IconChevronLeft aria-hidden size={16} />
      {t('title')}
    </Anchor>
  );
}
