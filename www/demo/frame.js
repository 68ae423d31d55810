// A document of its own that knows nothing of Modelport: it registers one tool with the browser, by hand.

const HOURS = {
  17: ["Low sun", 12, "Sunglasses, of all things."],
  18: ["Dusk", 11, "A light coat will do."],
  19: ["Clear", 9, "Bring a scarf."],
  20: ["Clear", 8, "Bring a scarf."],
  21: ["Thin cloud", 8, "No umbrella yet."],
  22: ["Drizzle", 7, "An umbrella for the way home."],
  23: ["Drizzle", 7, "An umbrella for the way home."],
};

function weatherAt(hour) {
  const [sky, degrees, advice] = HOURS[hour] ?? [];
  if (!sky) throw new RangeError(`hour must be from 17 to 23, not ${hour}`);
  document.getElementById("sky").textContent = sky;
  document.getElementById("degrees").textContent = `${degrees} °C`;
  document.getElementById("hour").textContent = `at ${hour}:00`;
  document.getElementById("advice").textContent = advice;
  return { hour, sky, degrees_celsius: degrees, advice };
}

async function register() {
  const status = document.getElementById("tool");
  if (!document.modelContext) {
    status.textContent = "No registry in this browser, so its tool stays at home.";
    return;
  }
  try {
    await document.modelContext.registerTool({
      name: "weather_tonight",
      title: "Weather tonight",
      description: "Says what the sky over the theatre does at an hour of this evening.",
      inputSchema: {
        type: "object",
        properties: { hour: { type: "integer", minimum: 17, maximum: 23, default: 19, description: "Full hour, 17 to 23." } },
      },
      annotations: { readOnlyHint: true },
      execute: ({ hour = 19 }) => weatherAt(hour),
    });
    status.textContent = "Registered weather_tonight by itself.";
  } catch (error) {
    status.textContent = `The browser refused its tool: ${error.message}`;
  }
}

// Chromium 156 may lose what a frame registers right at its load event, so wait a little longer.
addEventListener("load", () => setTimeout(register, 120));
