/** Both APIs are below it. */
const apis = '/api/';

/** The path of an address, without the query. A slash at the end changes no path of either API. */
export function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.endsWith('/') && path.length > apis.length && path.startsWith(apis) ? path.slice(0, -1) : path;
}

/** The paths that a door knows, for those who call one with a method that it does not take. */
export class KnownPaths {
  readonly #methods = new Map<string, { readonly pattern: RegExp; readonly methods: string[] }>();

  /** @param path with parameters as `:name` */
  add(method: string, path: string): void {
    const known = this.#methods.get(path) ?? {
      pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
      methods: [],
    };
    known.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    this.#methods.set(path, known);
  }

  /** The methods that an address takes; none where it is not known. */
  methodsOf(url: string): string[] {
    const path = pathOf(url);
    return [...this.#methods.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
  }
}
