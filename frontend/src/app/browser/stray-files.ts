/** Rejects files dropped outside of a drop target; the browser would open them in place of the page. */
export function rejectStrayFiles(): void {
  const reject = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', reject);
  window.addEventListener('drop', reject);
}
