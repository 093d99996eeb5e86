/** Lets the browser save a file under a name; what a file system does not take in it is replaced. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|]/g, '-');
  link.click();
  // The download has begun by then in every browser.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
