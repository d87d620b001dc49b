/** The value, or the fallback if the value is late or fails. */
export async function within<Value>(ms: number, asked: Promise<Value>, fallback: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, ms, fallback);
  });
  return await Promise.race([asked.catch(() => fallback), late]).finally(() => clearTimeout(timer));
}
