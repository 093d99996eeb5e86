/** Saves a file in the browser; replaces characters that file systems do not allow in names. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|]/g, '-');
  link.click();
  // By then, the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
