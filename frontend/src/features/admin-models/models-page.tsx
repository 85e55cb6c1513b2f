export function ModelsPage() {
  return <main />;
}
