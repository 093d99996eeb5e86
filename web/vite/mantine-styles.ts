import type { Plugin } from 'vite';

const ofAll = '@mantine/core/styles.layer.css';
const basics = ['default-css-variables', 'baseline', 'global'];

/**
 * Loads the styles of each Mantine component with the component, not all at once. Each component imports its class
 * names from a file named like its style sheet. The development server still loads all styles.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === ofAll ? `\0${ofAll}.js` : null),
    load: (id) => (id === `\0${ofAll}.js` ? basics.map(importOf).join('\n') : null),
    transform(code, id) {
      const component = /@mantine[\\/]core[\\/]esm[\\/].*?(\w+)\.module\.mjs$/.exec(id)?.[1];
      return component === undefined ? null : `${importOf(component)}\n${code}`;
    },
  };
}

const importOf = (name: string) => `import '@mantine/core/styles/${name}.layer.css';`;
