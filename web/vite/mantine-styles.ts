import type { Plugin } from 'vite';

const allStyles = '@mantine/core/styles.layer.css';
const baseStyles = ['default-css-variables', 'baseline', 'global'];

/** Loads a Mantine component's styles with the component. Its file of class names has the name of the style sheet. */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === allStyles ? `\0${allStyles}.js` : null),
    load: (id) => (id === `\0${allStyles}.js` ? baseStyles.map(styleImport).join('\n') : null),
    transform(code, id) {
      const component = /@mantine[\\/]core[\\/]esm[\\/].*?(\w+)\.module\.mjs$/.exec(id)?.[1];
      return component === undefined ? null : `${styleImport(component)}\n${code}`;
    },
  };
}

const styleImport = (name: string) => `import '@mantine/core/styles/${name}.layer.css';`;
